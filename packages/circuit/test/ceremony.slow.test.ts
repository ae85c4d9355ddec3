import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SetupBeacon, SetupContribution } from '@service/protocol/eligibility';
import { type Curve, curves, groth16, powersOfTau, zKey } from 'snarkjs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { blake2b512 } from '../scripts/ceremony/powers-of-tau.ts';
import { begin, type Ceremony, check, contribute, finish } from '../scripts/ceremony/steps.ts';
import { type CeremonyRecord, takeCeremony } from '../scripts/ceremony/take-ceremony.ts';
import { type CompiledConstraints, compileConstraints } from '../scripts/compile.ts';
import { readContributions } from '../src/key/contributions.ts';
import { readConstraintSystem } from './support/constraint-system.ts';
import { forgeProof } from './support/forge.ts';

/** The smallest circuit with one public signal, to keep ceremonies short. */
const SQUARE = `pragma circom 2.1.6;
template Square() {
    signal input square;
    signal input root;
    root * root === square;
}
component main {public [square]} = Square();
`;

const POWER = 2;
const PHASE_1_BEACON: SetupBeacon = { hash: '11'.repeat(32), iterationsExponent: 10 };
const PHASE_2_BEACON: SetupBeacon = { hash: '22'.repeat(32), iterationsExponent: 11 };
const RECORD: CeremonyRecord = { circuit: 'square-1', phase2Beacon: PHASE_2_BEACON };

type Step = { beacon: string; exponent: number } | { secret: string };
const ADA: Step = { secret: 'Ada' };
const GRACE: Step = { secret: 'Grace' };
const BEACON: Step = { beacon: PHASE_2_BEACON.hash, exponent: 11 };
const OTHER: Step = { beacon: '33'.repeat(32), exponent: 11 };

let folder: string;
let compiled: CompiledConstraints;
let curve: Curve;
/** Powers with one secret contribution before the beacon. */
let powers: Uint8Array;
/** The same, with another secret. */
let otherPowers: Uint8Array;
/** Powers that only the beacon made, so their secret is public. */
let publicPowers: Uint8Array;
let endCurve: () => Promise<void>;
/** Keys by their powers, and by the steps that made them, as JSON; no steps make the first key. */
const keys = new Map<Uint8Array, Map<string, Uint8Array>>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ceremony-'));
  compiled = await compileConstraints('--O2', { 'eligibility.circom': SQUARE });
  curve = await curves.getCurveFromName('bn128');
  // snarkjs shares one curve. Every test would start its worker threads again if takeCeremony ended it.
  endCurve = curve.terminate.bind(curve);
  vi.spyOn(curve, 'terminate').mockResolvedValue();
  const start = await made((to) => powersOfTau.newAccumulator(curve, POWER, to));
  const contributed = (secret: string) => made((to) => powersOfTau.contribute(start, to, secret, secret));
  const closedBy = async ({ hash, iterationsExponent }: SetupBeacon, from: Uint8Array) => {
    const closed = await made((to) => powersOfTau.beacon(from, to, 'beacon', hash, iterationsExponent));
    return made((to) => powersOfTau.preparePhase2(closed, to));
  };
  powers = await closedBy(PHASE_1_BEACON, await contributed('Ada'));
  otherPowers = await closedBy(PHASE_1_BEACON, await contributed('Grace'));
  publicPowers = await closedBy(PHASE_1_BEACON, start);
  for (const from of [powers, publicPowers]) {
    keys.set(from, new Map([['[]', await made((to) => zKey.newZKey(compiled.r1cs, from, to))]]));
  }
});

afterAll(async () => {
  await endCurve();
  await rm(folder, { recursive: true });
});

async function made(step: (to: { type: 'mem'; data?: Uint8Array }) => Promise<unknown>): Promise<Uint8Array> {
  const to: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  await step(to);
  if (!to.data) throw new Error('snarkjs wrote nothing.');
  return to.data;
}

/** Returns the key after some steps. Tests with the same steps share it. */
async function keyAfter(steps: readonly Step[], powersTaken = powers): Promise<Uint8Array> {
  const name = JSON.stringify(steps);
  const step = steps.at(-1);
  const known = keys.get(powersTaken)?.get(name);
  if (known || !step) return known!;
  const from = await keyAfter(steps.slice(0, -1), powersTaken);
  const key = await made((to) =>
    'secret' in step
      ? zKey.contribute(from, to, step.secret, step.secret)
      : zKey.beacon(from, to, 'beacon', step.beacon, step.exponent),
  );
  keys.get(powersTaken)?.set(name, key);
  return key;
}

/** The powers that these tests take for published ones. */
const published = () => ({ [POWER]: blake2b512(powers) });

/** Holds a ceremony of these steps, and reads its keys. */
async function take(
  steps: readonly Step[],
  record: CeremonyRecord = RECORD,
  { powersTaken = powers, keyPowers = powers, publishedPowers = published() } = {},
) {
  await writeFile(path.join(folder, 'ceremony.json'), JSON.stringify(record));
  await writeFile(path.join(folder, 'powers-of-tau.ptau'), powersTaken);
  await writeFile(path.join(folder, 'final.zkey'), await keyAfter(steps, keyPowers));
  return takeCeremony(folder, compiled.r1cs, () => {}, publishedPowers);
}

const names = (contributions: readonly SetupContribution[]) => contributions.map(({ name }) => name);

describe('the keys of a ceremony', () => {
  it('are accepted if people contributed and the announced beacon came last', async () => {
    const { provenance, constraints, vkey, circuit } = await take([ADA, GRACE, BEACON]);
    expect(provenance).toMatchObject({
      kind: 'ceremony',
      power: POWER,
      powersOfTau: blake2b512(powers),
      phase2Beacon: PHASE_2_BEACON,
    });
    expect(names(provenance.contributions)).toEqual(['Ada', 'Grace']);
    expect(constraints).toBe(1);
    expect(vkey.nPublic).toBe(1);
    expect(circuit).toBe('square-1');
  });

  it.each<[string, Step[]]>([
    ['without a beacon', [ADA, GRACE]],
    ['with another beacon', [ADA, GRACE, OTHER]],
    ['with a contribution after the beacon', [ADA, BEACON, GRACE]],
    ['with another exponent', [ADA, GRACE, { beacon: PHASE_2_BEACON.hash, exponent: 10 }]],
  ])('are rejected %s', async (_, steps) => {
    await expect(take(steps)).rejects.toThrow('final.zkey does not end with the beacon');
  });

  it('are rejected if fewer than two people contributed before the beacon', async () => {
    await expect(take([BEACON])).rejects.toThrow('the secrets of 0 people');
    await expect(take([OTHER, BEACON])).rejects.toThrow('the secrets of 0 people');
    await expect(take([ADA, BEACON])).rejects.toThrow('the secrets of 1 people');
  });

  it('are those of an operator if the record has no beacon', async () => {
    const { provenance } = await take([ADA], { circuit: 'square-1' });
    expect(provenance).toMatchObject({ kind: 'operator', powersOfTau: blake2b512(powers) });
    expect(names(provenance.contributions)).toEqual(['Ada']);
    await expect(take([], { circuit: 'square-1' })).rejects.toThrow('an operator needs one');
    await expect(take([BEACON], { circuit: 'square-1' })).rejects.toThrow('an operator needs one');
  });

  it('are rejected if the powers of tau are not those of the key', async () => {
    const publishedPowers = { [POWER]: blake2b512(otherPowers) };
    const taken = take([ADA, GRACE, BEACON], RECORD, { powersTaken: otherPowers, publishedPowers });
    await expect(taken).rejects.toThrow('The proving key does not match');
  });

  it('are rejected if the powers of tau are not published, because anyone may be able to forge their proofs', async () => {
    const steps = [ADA, GRACE, BEACON];
    const zkey = await keyAfter(steps, publicPowers);
    const vkey = await zKey.exportVerificationKey(zkey);
    // 5 has no square root in this field, so the statement is false.
    const system = readConstraintSystem(compiled, {});
    const proof = await forgeProof(curve, { system, zkey, phase1Beacon: PHASE_1_BEACON }, 5n);
    expect(await groth16.verify(vkey, ['5'], proof)).toBe(true);
    expect(await groth16.verify(vkey, ['6'], proof)).toBe(false);

    const taken = take(steps, RECORD, { powersTaken: publicPowers, keyPowers: publicPowers });
    await expect(taken).rejects.toThrow('which is not published');
  });

  it('cannot be forged in this way after one secret contribution to the powers of tau', async () => {
    const zkey = await keyAfter([ADA, BEACON]);
    const system = readConstraintSystem(compiled, {});
    const proof = await forgeProof(curve, { system, zkey, phase1Beacon: PHASE_1_BEACON }, 5n);
    expect(await groth16.verify(await zKey.exportVerificationKey(zkey), ['5'], proof)).toBe(false);
  });
});

it('the contributions in a key have the names and hashes that snarkjs prints', async () => {
  const zkey = await keyAfter([ADA, GRACE, BEACON]);
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const logger = { debug: () => {}, info: note, warn: note, error: note };
  expect(await zKey.verifyFromR1cs(compiled.r1cs, powers, zkey, logger)).toBe(true);
  const printed = lines.join('\n').replaceAll(/[\s]/g, '');
  const contributions = readContributions(zkey);
  expect(names(contributions)).toEqual(['Ada', 'Grace', 'beacon']);
  for (const [index, { name, hash }] of contributions.entries())
    expect(printed).toContain(`contribution#${index + 1}${name}:${hash}`);
  expect(contributions.map(({ beacon }) => beacon)).toEqual([undefined, undefined, PHASE_2_BEACON]);
});

describe('the steps of a ceremony', () => {
  let ceremony: Ceremony;
  let printed: string[];
  beforeEach(async () => {
    printed = [];
    ceremony = {
      folder: path.join(await mkdtemp(path.join(folder, 'steps-')), 'ceremony'),
      r1cs: compiled.r1cs,
      log: (line) => void printed.push(line),
      published: published(),
    };
  });

  async function begun(bytes = powers): Promise<void> {
    const file = path.join(folder, 'downloaded.ptau');
    await writeFile(file, bytes);
    await begin(ceremony, file);
  }

  it('make keys that the build accepts, and everybody can repeat the checks', async () => {
    await begun();
    const hashes = [await contribute(ceremony, 'Ada Lovelace'), await contribute(ceremony, 'Grace Hopper')];
    await check(ceremony);
    await finish(ceremony, RECORD);
    await check(ceremony);
    const taken = await takeCeremony(ceremony.folder, ceremony.r1cs, () => {}, ceremony.published);
    expect(taken.provenance).toMatchObject({ kind: 'ceremony', phase2Beacon: PHASE_2_BEACON });
    expect(taken.provenance.contributions).toEqual([
      { name: 'Ada Lovelace', hash: hashes[0] },
      { name: 'Grace Hopper', hash: hashes[1] },
    ]);
    expect(printed.filter((line) => line.endsWith(`Grace Hopper ${hashes[1]}`))).toHaveLength(3);
  });

  it('make the keys of an operator with one secret', async () => {
    await begun();
    await contribute(ceremony, 'Operator');
    await finish(ceremony, { circuit: 'square-1' });
    const taken = await takeCeremony(ceremony.folder, ceremony.r1cs, () => {}, ceremony.published);
    expect(taken.provenance.kind).toBe('operator');
  });

  it('add another secret each time', async () => {
    await begun();
    const first = await contribute(ceremony, 'Ada');
    await rm(path.join(ceremony.folder, 'eligibility_0001.zkey'));
    expect(await contribute(ceremony, 'Ada')).not.toBe(first);
  });

  it('can be repeated after they were killed', async () => {
    await begun();
    const before = await readdir(ceremony.folder);
    await rm(path.join(ceremony.folder, 'eligibility_0000.zkey'));
    await writeFile(path.join(ceremony.folder, 'eligibility_0000.zkey.partial'), 'half');
    await begun();
    expect(await readdir(ceremony.folder)).toEqual(before);
    await contribute(ceremony, 'Ada');
    await contribute(ceremony, 'Grace');
    await finish(ceremony, RECORD);
    await finish(ceremony, RECORD);
  });

  it('refuse powers of tau that are not published, and a folder of another ceremony', async () => {
    await expect(begun(otherPowers)).rejects.toThrow('which is not published');
    await begun();
    ceremony = { ...ceremony, published: { [POWER]: blake2b512(otherPowers) } };
    await expect(begun(otherPowers)).rejects.toThrow('belongs to another ceremony');
  });

  it('refuse a folder without a key, or with powers of tau that changed', async () => {
    await expect(contribute(ceremony, 'Ada')).rejects.toThrow('runs the step "begin" first');
    await begun();
    await writeFile(path.join(ceremony.folder, 'powers-of-tau.ptau'), otherPowers);
    await expect(contribute(ceremony, 'Ada')).rejects.toThrow('which is not published');
  });

  it('refuse a key of another circuit, and one with a number that is not its own', async () => {
    await begun();
    const other = await compileConstraints('--O2', {
      'eligibility.circom': SQUARE.replace('root * root', 'root * (root + 1)'),
    });
    await expect(contribute({ ...ceremony, r1cs: other.r1cs }, 'Ada')).rejects.toThrow('does not match');
    const first = path.join(ceremony.folder, 'eligibility_0000.zkey');
    await rename(first, path.join(ceremony.folder, 'eligibility_0004.zkey'));
    await expect(contribute(ceremony, 'Ada')).rejects.toThrow('has 0 contributions');
  });

  it.each(['', ' Ada', 'Ada\nGrace', 'Ada:', 'x'.repeat(61)])('refuse the name %j', async (name) => {
    await begun();
    await expect(contribute(ceremony, name)).rejects.toThrow('1 to 60 letters');
  });

  it('refuse a key with a name that could hide its hash', async () => {
    await begun();
    const name = `Grace ${'ab'.repeat(64)}\u001b[8m`;
    const hostile = await made((to) => zKey.contribute(keys.get(powers)!.get('[]')!, to, name, 'secret'));
    await writeFile(path.join(ceremony.folder, 'eligibility_0001.zkey'), hostile);
    await expect(check(ceremony)).rejects.toThrow('is not valid: "Grace abab');
    expect(printed.join()).not.toContain('\u001b');
  });

  it('refuse a key whose beacons would take years, and a beacon that is none', async () => {
    await begun();
    const hostile = Uint8Array.from(await keyAfter([BEACON]));
    // The parameter 2 of a contribution is the exponent, and the parameter 3 its number of 32 bytes.
    const at = Buffer.from(hostile).indexOf(Buffer.from([2, 11, 3, 32, 0x22]));
    hostile[at + 1] = 63;
    await writeFile(path.join(ceremony.folder, 'eligibility_0001.zkey'), hostile);
    await expect(check(ceremony)).rejects.toThrow('need more than 2^20 hashes');
    await expect(contribute(ceremony, 'Ada')).rejects.toThrow('need more than 2^20 hashes');
    for (const [beacon, message] of [
      [
        { ...PHASE_2_BEACON, iterationsExponent: 63 },
        'The exponent of the beacon is 63. It must be 10 to 20.',
      ],
      [{ ...PHASE_2_BEACON, iterationsExponent: Number.NaN }, 'The exponent of the beacon is NaN.'],
      [{ ...PHASE_2_BEACON, hash: 'AB'.repeat(32) }, 'It must be 64 lowercase hex digits.'],
    ] as const) {
      await expect(finish(ceremony, { ...RECORD, phase2Beacon: beacon })).rejects.toThrow(message);
    }
  });

  it('show who contributed before a contributor adds a secret', async () => {
    await begun();
    const hash = await contribute(ceremony, 'Ada');
    await contribute(ceremony, 'Grace');
    expect(printed.indexOf(`secret Ada ${hash}`)).toBeLessThan(printed.indexOf('adding a secret as Grace'));
    expect(printed).toContain(`secret Ada ${hash}`);
  });

  it('check the key of an operator once', async () => {
    await begun();
    await contribute(ceremony, 'Operator');
    printed = [];
    await finish(ceremony, { circuit: 'square-1' });
    expect(printed.filter((line) => line.startsWith('checking the key'))).toHaveLength(1);
  });

  it('write through no link that somebody left in the folder', async () => {
    await begun();
    const victim = path.join(folder, 'victim');
    await writeFile(victim, 'mine');
    await symlink(victim, path.join(ceremony.folder, 'eligibility_0001.zkey.partial'));
    await contribute(ceremony, 'Ada');
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('refuse a name that contributed, and a finish with too few people', async () => {
    await begun();
    await contribute(ceremony, 'Ada');
    await expect(contribute(ceremony, 'Ada')).rejects.toThrow('Ada contributed already');
    await expect(finish(ceremony, RECORD)).rejects.toThrow('at least two');
    expect(await readdir(ceremony.folder)).not.toContain('final.zkey');
  });

  it('end when the ceremony is finished', async () => {
    await begun();
    await contribute(ceremony, 'Ada');
    await finish(ceremony, { circuit: 'square-1' });
    await expect(contribute(ceremony, 'Grace')).rejects.toThrow('is finished');
    await expect(finish(ceremony, { circuit: 'square-2' })).rejects.toThrow('is finished');
    const first = await readFile(path.join(ceremony.folder, 'eligibility_0001.zkey'));
    const later = await made((to) => zKey.contribute(new Uint8Array(first), to, 'Grace', 'secret'));
    await writeFile(path.join(ceremony.folder, 'eligibility_0002.zkey'), later);
    await expect(finish(ceremony, { circuit: 'square-1' })).rejects.toThrow('is finished');
  });
});
