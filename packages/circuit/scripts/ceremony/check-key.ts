import type { SetupBeacon, SetupContribution } from '@service/protocol/eligibility';
import { zKey } from 'snarkjs';

/** The name of a contributor: 1 to 60 letters, digits, spaces and `.'-`. */
export const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'-]{0,59}$/u;

/** A contribution to a proving key. */
export interface KeyContribution extends SetupContribution {
  /** The beacon that made it. Undefined if a secret did. */
  readonly beacon: SetupBeacon | undefined;
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
  // Only the log of snarkjs names the contributions. Do not print it: the names in it are not checked yet.
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const logger = { debug: () => {}, info: note, warn: note, error: note };
  if (!(await zKey.verifyFromR1cs(r1cs, powersOfTau, zkey, logger))) {
    throw new Error(
      'The proving key does not match this circuit and these powers of tau. Use the files of one ceremony.',
    );
  }
  return contributionsIn(lines);
}

/** Reads the contributions from the log of snarkjs, which names the last one first. */
function contributionsIn(lines: readonly string[]): KeyContribution[] {
  const starts = lines.flatMap((line, index) => (/^contribution #/i.test(line) ? [index] : []));
  return starts
    .map((start, index) => {
      const [, name, hash] = /^contribution #\d+ ([^\n]*):\n([0-9a-f\s]+)$/i.exec(lines[start]!) ?? [];
      // A name with control characters could hide the hash that people compare.
      if (hash === undefined || !NAME.test(name ?? '')) {
        throw new Error(
          `The name of a contribution is not valid: ${JSON.stringify(name)}. Ask its author to repeat it.`,
        );
      }
      const block = lines.slice(start + 1, starts[index + 1]);
      const value = (label: string) => block.find((line) => line.startsWith(label))?.slice(label.length);
      const beacon = value('Beacon generator: ');
      return {
        name: name!,
        hash: hash.replace(/\s/g, ''),
        beacon:
          beacon === undefined
            ? undefined
            : { hash: beacon, iterationsExponent: Number(value('Beacon iterations Exp: ')) },
      };
    })
    .reverse();
}
