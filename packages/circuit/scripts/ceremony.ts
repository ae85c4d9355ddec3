import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SetupBeacon } from '@service/protocol/eligibility';
import { curves, powersOfTau as powersOfTauFile, r1cs as r1csFile, zKey } from 'snarkjs';
import { packageVersion } from './compile.ts';
import { blake2b512, secretOfPowers } from './powers-of-tau.ts';
import type { Setup } from './setup.ts';

/** The content of `ceremony.json`, which docs/ceremony.md describes. */
export interface CeremonyRecord {
  /** Id of the new circuit. A chain accepts each id once. */
  readonly circuit: string;
  /** The powers of tau are for circuits of up to 2^power rows. */
  readonly power: number;
  /** The beacon that closed the public powers of tau. */
  readonly phase1Beacon: SetupBeacon;
  /** The beacon that closed this circuit's own phase. It was announced before its value was known. */
  readonly phase2Beacon: SetupBeacon;
}

/**
 * Reads the keys of a ceremony from a folder with `ceremony.json`, `powers-of-tau.ptau` and `final.zkey`, and checks:
 *
 * - the powers of tau and each contribution to them;
 * - that the powers of tau are the published ones, or that somebody contributed a secret to them;
 * - that the keys belong to this constraint system and these powers of tau, and each contribution to them;
 * - that each phase ends with the beacon and the exponent of `ceremony.json`;
 * - that somebody contributed before the second beacon, and that the power is right.
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
): Promise<Setup & { record: CeremonyRecord }> {
  const record = JSON.parse(await readFile(path.join(folder, 'ceremony.json'), 'utf8')) as CeremonyRecord;
  const powersOfTau = new Uint8Array(await readFile(path.join(folder, 'powers-of-tau.ptau')));
  const zkey = new Uint8Array(await readFile(path.join(folder, 'final.zkey')));
  const curve = await curves.getCurveFromName('bn128');
  try {
    log('checking the powers of tau');
    const phase1 = recorder(log);
    if (!(await powersOfTauFile.verify(powersOfTau, phase1.logger))) {
      throw new Error(
        'powers-of-tau.ptau does not match its contributions. Use the file that the ceremony published.',
      );
    }
    log('checking the proving key against constraints and powers of tau');
    const phase2 = recorder(log);
    if (!(await zKey.verifyFromR1cs(r1cs, powersOfTau, zkey, phase2.logger))) {
      throw new Error(
        'final.zkey does not match this circuit and powers-of-tau.ptau. Use the files of one ceremony.',
      );
    }
    const power = powerOf(powersOfTau);
    const contributions = contributionsIn(phase1.lines);
    const secretContributions = contributions.filter((beacon) => beacon === undefined).length;
    log(secretOfPowers({ power, hash: blake2b512(powersOfTau), secretContributions }));
    checkRecord(record, power, contributions, contributionsIn(phase2.lines));
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

/** The beacon that made a contribution, or undefined if a person's secret did. */
type Contribution = SetupBeacon | undefined;

/** Throws Error if `ceremony.json` differs from the files. */
function checkRecord(
  record: CeremonyRecord,
  power: number,
  phase1: readonly Contribution[],
  phase2: readonly Contribution[],
): void {
  if (record.power !== power) {
    throw new Error(
      `powers-of-tau.ptau is for 2^${power} rows, but ceremony.json says 2^${record.power}. Correct ceremony.json.`,
    );
  }
  if (!isDeepStrictEqual(phase1[0], record.phase1Beacon)) {
    throw new Error(
      'powers-of-tau.ptau does not end with the beacon in ceremony.json. Correct the beacon or use the right file.',
    );
  }
  if (!isDeepStrictEqual(phase2[0], record.phase2Beacon)) {
    throw new Error(
      'final.zkey does not end with the beacon in ceremony.json. Correct the beacon or use the right file.',
    );
  }
  // Beacons are public, so from beacons alone anyone can derive the key's secret.
  if (phase2.every((beacon) => beacon !== undefined)) {
    throw new Error(
      'Nobody contributed to final.zkey before the beacon. Hold the ceremony with at least one contribution.',
    );
  }
}

/** Records the log of snarkjs, the only place where it names the contributions. */
function recorder(log: (line: string) => void) {
  const lines: string[] = [];
  const note = (line: string) => {
    lines.push(line);
    log(line);
  };
  return { lines, logger: { debug: () => {}, info: note, warn: note, error: note } };
}

/** Returns the contributions in the log of snarkjs, the last one first. */
function contributionsIn(lines: readonly string[]): Contribution[] {
  const starts = lines.flatMap((line, index) => (/^contribution #/i.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const block = lines.slice(start + 1, starts[index + 1]);
    const value = (label: string) => block.find((line) => line.startsWith(label))?.slice(label.length);
    const hash = value('Beacon generator: ');
    return hash === undefined
      ? undefined
      : { hash, iterationsExponent: Number(value('Beacon iterations Exp: ')) };
  });
}

/**
 * Returns the power in a file of powers of tau, which snarkjs has already checked. Sections begin after 12 bytes with a
 * type (4 bytes) and a length (8 bytes). In section 1 the power follows the field's size (4 bytes) and order.
 */
function powerOf(powersOfTau: Uint8Array): number {
  const file = new DataView(powersOfTau.buffer, powersOfTau.byteOffset, powersOfTau.byteLength);
  let at = 12;
  while (file.getUint32(at, true) !== 1) at += 12 + Number(file.getBigUint64(at + 4, true));
  const header = at + 12;
  return file.getUint32(header + 4 + file.getUint32(header, true), true);
}
