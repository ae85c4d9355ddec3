import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SetupBeacon } from '@service/protocol/eligibility';
import { type Curve, curves, groth16, powersOfTau, zKey } from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CeremonyRecord, takeCeremony } from '../scripts/ceremony.ts';
import { type CompiledConstraints, compileConstraints } from '../scripts/compile.ts';
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

const RECORD: CeremonyRecord = {
  circuit: 'square-1',
  power: 2,
  phase1Beacon: { hash: '11'.repeat(32), iterationsExponent: 10 },
  phase2Beacon: { hash: '22'.repeat(32), iterationsExponent: 11 },
};

const OTHER_BEACON: SetupBeacon = { hash: '33'.repeat(32), iterationsExponent: 10 };

type Step = { beacon: string; exponent: number } | { secret: string };
const SECRET: Step = { secret: 'Ada' };
const BEACON: Step = { beacon: RECORD.phase2Beacon.hash, exponent: 11 };
const OTHER: Step = { beacon: OTHER_BEACON.hash, exponent: 11 };

let folder: string;
let compiled: CompiledConstraints;
let curve: Curve;
/** Powers with one secret contribution before the beacon. */
let powers: Uint8Array;
/** The same, with another secret and another beacon. */
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
  const start = await made((to) => powersOfTau.newAccumulator(curve, RECORD.power, to));
  const contributed = (secret: string) => made((to) => powersOfTau.contribute(start, to, secret, secret));
  const closedBy = async ({ hash, iterationsExponent }: SetupBeacon, from: Uint8Array) => {
    const closed = await made((to) => powersOfTau.beacon(from, to, 'beacon', hash, iterationsExponent));
    return made((to) => powersOfTau.preparePhase2(closed, to));
  };
  powers = await closedBy(RECORD.phase1Beacon, await contributed('Ada'));
  otherPowers = await closedBy(OTHER_BEACON, await contributed('Grace'));
  publicPowers = await closedBy(RECORD.phase1Beacon, start);
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

/** Holds a ceremony of these steps, and reads its keys. */
async function take(
  steps: readonly Step[],
  change: Partial<CeremonyRecord> = {},
  { powersTaken = powers, keyPowers = powers } = {},
) {
  await writeFile(path.join(folder, 'ceremony.json'), JSON.stringify({ ...RECORD, ...change }));
  await writeFile(path.join(folder, 'powers-of-tau.ptau'), powersTaken);
  await writeFile(path.join(folder, 'final.zkey'), await keyAfter(steps, keyPowers));
  return takeCeremony(folder, compiled.r1cs, () => {});
}

describe('the keys of a ceremony', () => {
  it('are accepted if people contributed and the announced beacon came last', async () => {
    const { provenance, constraints, vkey, record } = await take([SECRET, { secret: 'Grace' }, BEACON]);
    expect(provenance).toMatchObject({
      kind: 'ceremony',
      power: 2,
      phase1Beacon: RECORD.phase1Beacon,
      phase2Beacon: RECORD.phase2Beacon,
    });
    expect(constraints).toBe(1);
    expect(vkey.nPublic).toBe(1);
    expect(record).toEqual(RECORD);
  });

  it.each<[string, Step[]]>([
    ['without a beacon', [SECRET]],
    ['with another beacon', [SECRET, OTHER]],
    ['with a contribution after the beacon', [SECRET, BEACON, { secret: 'after the beacon' }]],
    ['with another exponent', [SECRET, { beacon: RECORD.phase2Beacon.hash, exponent: 10 }]],
  ])('are rejected %s', async (_, steps) => {
    await expect(take(steps)).rejects.toThrow('final.zkey does not end with the beacon');
  });

  it('are rejected if nobody contributed before the beacon', async () => {
    for (const steps of [[BEACON], [OTHER, BEACON]]) {
      await expect(take(steps)).rejects.toThrow('Nobody contributed');
    }
  });

  it('are rejected if ceremony.json names another power', async () => {
    const taken = take([SECRET, BEACON], { power: 99 });
    await expect(taken).rejects.toThrow('2^2 rows, but ceremony.json says 2^99');
  });

  it.each([
    { hash: '64 hex digits', iterationsExponent: 10 },
    { hash: RECORD.phase1Beacon.hash, iterationsExponent: 63 },
    undefined,
  ])('are rejected if ceremony.json names %o for the powers of tau', async (phase1Beacon) => {
    const taken = take([SECRET, BEACON], { phase1Beacon } as Partial<CeremonyRecord>);
    await expect(taken).rejects.toThrow('powers-of-tau.ptau does not end with the beacon');
  });

  it('are rejected if the powers of tau are not those of the key', async () => {
    const taken = take([SECRET, BEACON], { phase1Beacon: OTHER_BEACON }, { powersTaken: otherPowers });
    await expect(taken).rejects.toThrow('final.zkey does not match');
  });

  it('are rejected if the powers of tau do not match their contributions', async () => {
    const broken = Uint8Array.from(powers);
    // Replace one power of tau by another. The head of the file ends at 80, and each power has 64 bytes.
    broken.copyWithin(80 + 128, 80 + 192, 80 + 256);
    await expect(take([SECRET, BEACON], {}, { powersTaken: broken })).rejects.toThrow(
      'powers-of-tau.ptau does not match',
    );
  });

  it('are rejected if only a beacon made the powers of tau, because anyone can forge their proofs', async () => {
    const steps = [SECRET, { secret: 'Grace' }, BEACON];
    const zkey = await keyAfter(steps, publicPowers);
    const vkey = await zKey.exportVerificationKey(zkey);
    // 5 has no square root in this field, so the statement is false.
    const system = readConstraintSystem(compiled, {});
    const proof = await forgeProof(curve, { system, zkey, phase1Beacon: RECORD.phase1Beacon }, 5n);
    expect(await groth16.verify(vkey, ['5'], proof)).toBe(true);
    expect(await groth16.verify(vkey, ['6'], proof)).toBe(false);

    const taken = take(steps, {}, { powersTaken: publicPowers, keyPowers: publicPowers });
    await expect(taken).rejects.toThrow('Nobody contributed a secret to powers-of-tau.ptau');
  });

  it('cannot be forged in this way after one secret contribution to the powers of tau', async () => {
    const zkey = await keyAfter([SECRET, BEACON]);
    const system = readConstraintSystem(compiled, {});
    const proof = await forgeProof(curve, { system, zkey, phase1Beacon: RECORD.phase1Beacon }, 5n);
    expect(await groth16.verify(await zKey.exportVerificationKey(zkey), ['5'], proof)).toBe(false);
  });
});
