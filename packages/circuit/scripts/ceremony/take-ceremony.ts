import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CeremonySetup, OperatorSetup, SetupBeacon } from '@service/protocol/eligibility';
import { curves, r1cs as r1csFile, zKey } from 'snarkjs';
import type { KeyContribution } from '../../src/key/contributions.ts';
import { packageVersion } from '../compile.ts';
import type { Setup } from '../setup.ts';
import { checkKey } from './check-key.ts';
import { FINAL_KEY, POWERS_OF_TAU, RECORD } from './folder.ts';
import { PUBLISHED_POWERS, publishedPowers } from './powers-of-tau.ts';

/** The content of `ceremony.json`. */
export interface CeremonyRecord {
  /** Id of the new circuit. A chain accepts each id once. */
  readonly circuit: string;
  /**
   * The beacon that closed this circuit's phase. It was announced before its value was known. Without it, the keys are those of an
   * operator.
   */
  readonly phase2Beacon?: SetupBeacon | undefined;
}

/**
 * Reads the keys of a ceremony from a folder, and checks:
 *
 * - that the powers of tau are published ones;
 * - that the keys belong to this constraint system and these powers of tau, and each contribution to them;
 * - that they end with the beacon and the exponent of `ceremony.json`, and that at least two people contributed before it;
 * - without a beacon, which makes them the keys of an operator: that the operator contributed.
 *
 * The log names all contributions. It cannot show that people took part and that the beacon was announced: keep a record
 * of the ceremony for that.
 *
 * @throws Error if a file is missing or a check fails
 */
export async function takeCeremony(
  folder: string,
  r1cs: Uint8Array,
  log: (step: string) => void,
  published = PUBLISHED_POWERS,
): Promise<Setup<CeremonySetup | OperatorSetup> & { circuit: string }> {
  const record = JSON.parse(await readFile(path.join(folder, RECORD), 'utf8')) as CeremonyRecord;
  const powersOfTau = new Uint8Array(await readFile(path.join(folder, POWERS_OF_TAU)));
  const zkey = new Uint8Array(await readFile(path.join(folder, FINAL_KEY)));
  const { power, hash } = publishedPowers(powersOfTau, published);
  log(`the published powers of tau of 2^${power} rows`);
  const curve = await curves.getCurveFromName('bn128');
  try {
    log('checking the proving key against constraints and powers of tau');
    const contributions = await checkKey({ r1cs, powersOfTau, zkey });
    for (const { name, hash, beacon } of contributions)
      log(`${beacon ? 'beacon' : 'secret'} ${name} ${hash}`);
    const { nConstraints } = await r1csFile.info(r1cs);
    const origin = { tool: `snarkjs@${packageVersion('snarkjs')}`, power, powersOfTau: hash };
    return {
      zkey,
      vkey: await zKey.exportVerificationKey(zkey),
      constraints: nConstraints,
      provenance: { ...origin, ...secretsOf(contributions, record.phase2Beacon) },
      circuit: record.circuit,
    };
  } finally {
    await curve.terminate();
  }
}

/**
 * Returns what the manifest says of the secrets in a key.
 *
 * @throws Error if it does not end with the beacon, or nobody added a secret
 */
export function secretsOf(
  contributions: readonly KeyContribution[],
  phase2Beacon: SetupBeacon | undefined,
):
  | Pick<CeremonySetup, 'kind' | 'contributions' | 'phase2Beacon'>
  | Pick<OperatorSetup, 'kind' | 'contributions'> {
  if (phase2Beacon && !isDeepStrictEqual(contributions.at(-1)?.beacon, phase2Beacon)) {
    throw new Error(
      `${FINAL_KEY} does not end with the beacon in ${RECORD}. Correct the beacon or use the right file.`,
    );
  }
  // Beacons are public, so from beacons alone anyone can derive the key's secret.
  const secrets = contributions
    .filter(({ beacon }) => beacon === undefined)
    .map(({ name, hash }) => ({ name, hash }));
  if (!phase2Beacon && secrets.length > 0) return { kind: 'operator', contributions: secrets };
  if (phase2Beacon && secrets.length > 1) return { kind: 'ceremony', contributions: secrets, phase2Beacon };
  throw new Error(
    `${FINAL_KEY} has the secrets of ${secrets.length} people. A ceremony needs at least two before its beacon, and an operator needs one.`,
  );
}
