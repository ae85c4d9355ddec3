import type { SetupProvenance } from './manifest.ts';
import { sha256Hex } from './sha256.ts';

/**
 * SHA-256 of alpha and beta in every key that is made from Hermez's powers of tau (`powersOfTau28_hez_final`), whatever their
 * number of rows.
 */
const PUBLISHED_POWERS_OF_TAU = '76930904be6e0bd7c797e80221edc59cd84a0f736ffa19b647d3bfe172dd3713';
/** SHA-256 of the generator of the second group. It is gamma in every key of snarkjs, and delta before the first contribution. */
const GENERATOR = 'a0de5dc137b285f0d15790d0e0007a26331cafe00d29bdaa0e7e9afa276847aa';
/** SHA-256 of delta after the beacon of the development setup alone. It is the same for every circuit. */
const DEVELOPMENT_DELTA = '170f48c720a0d558cb947321bd0026f6b1e9a330981dcc988f3fd2ccaebf4ebb';

/**
 * Returns why the verifying key is not what its manifest says of the setup, or undefined. It reads the key, because a manifest
 * can claim anything. A development setup claims nothing. No check can see whether a contribution was secret.
 *
 * @param key packed verifying key, 576 bytes
 * @example
 * const fault = await setupFault(manifest.setup, key); // 'nobody added a secret to the keys'
 */
export async function setupFault(setup: SetupProvenance, key: Uint8Array): Promise<string | undefined> {
  if (setup.kind === 'development') return undefined;
  const [powers, gamma, delta] = await Promise.all(
    [key.subarray(0, 192), key.subarray(192, 320), key.subarray(320, 448)].map((part) => sha256Hex(part)),
  );
  if (powers !== PUBLISHED_POWERS_OF_TAU) return 'the keys do not come from the published powers of tau';
  if (gamma !== GENERATOR) return 'gamma of the keys is not the generator';
  if (delta === GENERATOR || delta === DEVELOPMENT_DELTA) return 'nobody added a secret to the keys';
  return undefined;
}
