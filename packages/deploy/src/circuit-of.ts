import type { readArtifacts } from '@service/circuit';
import { getBase16Encoder } from '@solana/kit';
import type { Protocol } from './deploy-options.ts';

/** Returns the circuit that governance sets for these proof artifacts. */
export function circuitOf(artifacts: Awaited<ReturnType<typeof readArtifacts>>): Protocol['circuit'] {
  return {
    id: artifacts.manifest.circuit,
    artifactsDigest: new Uint8Array(getBase16Encoder().encode(artifacts.digest)),
    verifyingKey: artifacts.key,
  };
}
