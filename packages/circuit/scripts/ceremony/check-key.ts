import type { SetupBeacon } from '@service/protocol/eligibility';
import { zKey } from 'snarkjs';
import { type KeyContribution, readContributions } from '../../src/key/contributions.ts';

/** The name of a contributor: 1 to 60 letters, digits, spaces and `.'-`. */
export const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'-]{0,59}$/u;

/** The exponents of a beacon's iterations. snarkjs accepts no smaller one, and 2^20 hashes take about ten seconds. */
const EXPONENT = { least: 10, most: 20 };

/**
 * Checks the beacon that is to close a key.
 *
 * @throws Error if its number or its exponent is not valid
 */
export function checkBeacon({ hash, iterationsExponent }: SetupBeacon): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw new Error(`The beacon is ${JSON.stringify(hash)}. It must be 64 lowercase hex digits.`);
  }
  const { least, most } = EXPONENT;
  if (Number.isInteger(iterationsExponent) && iterationsExponent >= least && iterationsExponent <= most)
    return;
  throw new Error(`The exponent of the beacon is ${iterationsExponent}. It must be ${least} to ${most}.`);
}

/**
 * Checks that a proving key comes from a constraint system and powers of tau through its contributions, and returns these in
 * order.
 *
 * @throws Error if it does not
 */
export async function checkKey({
  r1cs,
  powersOfTau,
  zkey,
}: {
  r1cs: Uint8Array;
  powersOfTau: Uint8Array;
  zkey: Uint8Array;
}): Promise<KeyContribution[]> {
  const contributions = readContributions(zkey);
  for (const { name } of contributions) {
    // A name with control characters could hide the hash that people compare.
    if (NAME.test(name)) continue;
    throw new Error(
      `The name of a contribution is not valid: ${JSON.stringify(name)}. Ask its author to repeat it.`,
    );
  }
  // Before snarkjs repeats the iterations of each beacon: somebody else made the key, and 2^63 of them never end.
  const hashes = contributions.reduce(
    (sum, { beacon }) => sum + (beacon ? 2 ** beacon.iterationsExponent : 0),
    0,
  );
  if (hashes > 2 ** EXPONENT.most) {
    throw new Error(
      `The beacons of the key need more than 2^${EXPONENT.most} hashes. Get the key of the contributor before you.`,
    );
  }
  if (await zKey.verifyFromR1cs(r1cs, powersOfTau, zkey)) return contributions;
  throw new Error(
    'The proving key does not match this circuit and these powers of tau. Use the files of one ceremony.',
  );
}
