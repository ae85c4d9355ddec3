import { loadProver } from '../eligibility/load-prover.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ServiceCore } from './core.ts';

/** Returns the pinned artifacts that the site serves. The chunk that loads and checks them is loaded with them. */
export function servedArtifacts(core: ServiceCore): ArtifactSource {
  const digest = core.deployment.artifactsDigest;
  const url = new URL('/artifacts', core.baseUrl);
  let source: ArtifactSource | undefined;
  return Object.freeze<ArtifactSource>({
    digest,
    async load(options) {
      const { artifactsFrom } = await loadProver();
      source ??= artifactsFrom({ digest, url, ...(core.fetch ? { fetch: core.fetch } : {}) });
      return source.load(options);
    },
  });
}
