import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ServiceCore } from './core.ts';
import { loadChainFor } from './load-chain-chunk.ts';

/** Returns the pinned artifacts as the site serves them. The chunk that loads and checks them is loaded with them. */
export function servedArtifacts(
  core: ServiceCore,
  url: URL,
  fetch: typeof globalThis.fetch | undefined,
): ArtifactSource {
  const digest = core.deployment.artifactsDigest;
  let source: ArtifactSource | undefined;
  return Object.freeze<ArtifactSource>({
    digest,
    async load(options) {
      const { artifactsFrom } = await loadChainFor(core);
      source ??= artifactsFrom({ digest, url, ...(fetch ? { fetch } : {}) });
      return source.load(options);
    },
  });
}
