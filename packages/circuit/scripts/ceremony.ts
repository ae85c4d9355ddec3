import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SetupBeacon } from '@service/protocol/eligibility';
import { curves, powersOfTau as powersOfTauFile, r1cs as r1csFile, zKey } from 'snarkjs';
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
 * It checks the powers of tau and each contribution to them; that the keys are of this constraint system and these
 * powers of tau, and each contribution; that the last step of either phase is the beacon that `ceremony.json` names,
 * with its exponent; that somebody contributed before the second; and the power. The log names all contributions. That
 * the people were there, and the beacon was announced, only the ceremony's record shows.
 *
 * @throws Error when a file is missing or a check fails
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
      throw new Error('powers-of-tau.ptau does not follow from its contributions.');
    }
    log('checking the proving key against constraints and powers of tau');
    const phase2 = recorder(log);
    if (!(await zKey.verifyFromR1cs(r1cs, powersOfTau, zkey, phase2.logger))) {
      throw new Error('final.zkey does not follow from this circuit and powers-of-tau.ptau.');
    }
    checkRecord(record, powerOf(powersOfTau), contributionsIn(phase1.lines), contributionsIn(phase2.lines));
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

/** The beacon that made a contribution; undefined when a person's secret did. */
type Contribution = SetupBeacon | undefined;

/** @throws Error naming what `ceremony.json` says otherwise than the files */
function checkRecord(
  record: CeremonyRecord,
  power: number,
  phase1: readonly Contribution[],
  phase2: readonly Contribution[],
): void {
  if (record.power !== power) {
    throw new Error(`powers-of-tau.ptau is for 2^${power} rows, ceremony.json says 2^${record.power}.`);
  }
  if (!isDeepStrictEqual(phase1[0], record.phase1Beacon)) {
    throw new Error('powers-of-tau.ptau was not closed by the beacon that ceremony.json names.');
  }
  if (!isDeepStrictEqual(phase2[0], record.phase2Beacon)) {
    throw new Error('final.zkey was not closed by the beacon that ceremony.json names.');
  }
  // Beacons are public: of them alone, anyone can derive the key's secret.
  if (phase2.every((beacon) => beacon !== undefined)) {
    throw new Error('Nobody contributed to final.zkey before the beacon.');
  }
}

/** snarkjs says what the contributions are in its log, and nowhere else. */
function recorder(log: (line: string) => void) {
  const lines: string[] = [];
  const note = (line: string) => {
    lines.push(line);
    log(line);
  };
  return { lines, logger: { debug: () => {}, info: note, warn: note, error: note } };
}

/** The contributions that snarkjs's log names, the last one first, as it does. */
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
 * The power in a file of powers of tau, which snarkjs has already read: sections begin after 12 bytes with a type of 4
 * bytes and a length of 8; in section 1 the power follows the field's size (4 bytes) and order.
 */
function powerOf(powersOfTau: Uint8Array): number {
  const file = new DataView(powersOfTau.buffer, powersOfTau.byteOffset, powersOfTau.byteLength);
  let at = 12;
  while (file.getUint32(at, true) !== 1) at += 12 + Number(file.getBigUint64(at + 4, true));
  const header = at + 12;
  return file.getUint32(header + 4 + file.getUint32(header, true), true);
}
