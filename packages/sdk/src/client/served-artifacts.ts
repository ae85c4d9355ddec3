import { loadProver } from '../eligibility/load-prover.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { SessionOnChain } from '../session/session.ts';

/** Returns the pinned artifacts that the site serves. The chunk that loads and checks them is loaded with them. */
export function servedArtifacts({ session, chain }: SessionOnChain): ArtifactSource {
  const digest = chain.deployment.artifactsDigest;
  const url = new URL('/artifacts', session.baseUrl);
  let source: ArtifactSource | undefined;
  return Object.freeze<ArtifactSource>({
    digest,
    async load(options) {
      const { artifactsFrom } = await loadProver();
      source ??= artifactsFrom({ digest, url, ...(session.fetch ? { fetch: session.fetch } : {}) });
      return source.load(options);
    },
  });
}
