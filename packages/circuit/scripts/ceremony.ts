import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SetupBeacon } from '@service/protocol/eligibility';
import { curves, r1cs as r1csFile, zKey } from 'snarkjs';
import { packageVersion } from './compile.ts';
import type { Setup } from './setup.ts';

/** What `ceremony.json` says of a ceremony: docs/ceremony.md. */
export interface CeremonyRecord {
  /** The new circuit's id. A chain takes each id once. */
  readonly circuit: string;
  /** The public powers of tau are for circuits of up to 2^power rows. */
  readonly power: number;
  /** The beacon that closed the public powers of tau. */
  readonly phase1Beacon: SetupBeacon;
  /** The beacon that closed this circuit's own phase, announced before it was known. */
  readonly phase2Beacon: SetupBeacon;
}

/**
 * Takes the keys of a ceremony from a folder that holds `ceremony.json`, `powers-of-tau.ptau` and `final.zkey`.
 *
 * It checks that the keys are of this constraint system and these powers of tau, each contribution, and the beacon that
 * closed them; the log names all of them. That the people were there, and the beacon was announced, only the ceremony's record shows.
 *
 * @throws Error when a file is missing or the check fails
 */
export async function takeCeremony(
  folder: string,
  r1cs: Uint8Array,
  log: (step: string) => void,
): Promise<Setup & { record: CeremonyRecord }> {
  const record = JSON.parse(await readFile(path.join(folder, 'ceremony.json'), 'utf8')) as CeremonyRecord;
  const powersOfTau = new Uint8Array(await readFile(path.join(folder, 'powers-of-tau.ptau')));
  const zkey = new Uint8Array(await readFile(path.join(folder, 'final.zkey')));
  const lines: string[] = [];
  const note = (line: string) => {
    lines.push(line);
    log(line);
  };
  const logger = { debug: () => {}, info: note, warn: note, error: note };
  const curve = await curves.getCurveFromName('bn128');
  try {
    log('checking the proving key against constraints and powers of tau');
    if (!(await zKey.verifyFromR1cs(r1cs, powersOfTau, zkey, logger))) {
      throw new Error('final.zkey does not follow from this circuit and powers-of-tau.ptau.');
    }
    // The last contribution is named first.
    const beacon = lines.find((line) => line.startsWith('Beacon generator: '));
    if (beacon !== `Beacon generator: ${record.phase2Beacon.hash}`) {
      throw new Error('final.zkey was not closed by the beacon that ceremony.json names.');
    }
    const { nConstraints } = await r1csFile.info(r1cs);
    return {
      zkey,
      vkey: await zKey.exportVerificationKey(zkey),
      constraints: nConstraints,
      provenance: {
        kind: 'ceremony',
        tool: `snarkjs@${packageVersion('snarkjs')}`,
        power: record.power,
        phase1Beacon: record.phase1Beacon,
        phase2Beacon: record.phase2Beacon,
      },
      record,
    };
  } finally {
    await curve.terminate();
  }
}
