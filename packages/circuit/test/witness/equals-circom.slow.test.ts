import { contextHashOf } from '@service/circuit/witness';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { falseStatements } from '../attacks/false-statements.ts';
import { honestCases } from '../attacks/honest-cases.ts';
import { reopenings } from '../attacks/reopenings.ts';
import { circomCalculator, type Outcome } from '../support/circom-calculator.ts';
import { compileSystem } from '../support/circuit-under-test.ts';
import { broken, type ConstraintSystem, sum } from '../support/constraint-system.ts';
import { changedSignals, trueSignals } from '../support/random-signals.ts';
import { own, STATEMENTS } from '../support/rejections.ts';
import { asInput, named } from '../support/scenario.ts';
import type { Signals } from '../support/statement.ts';

let circom: (signals: Signals) => Outcome;
/** The constraints that the keys are made for. */
let deployed: ConstraintSystem;

beforeAll(async () => {
  [circom, deployed] = await Promise.all([circomCalculator(), compileSystem('--O2')]);
});

/** Returns the numbers of a part of a witness. */
function read(bytes: Uint8Array): bigint[] {
  const words = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  return Array.from({ length: bytes.length / 32 }, (_, index) =>
    words.subarray(4 * index, 4 * index + 4).reduceRight((value, word) => (value << 64n) | word, 0n),
  );
}

/** Expects that both calculators accept the signals with the same wires, or reject them by the same statement. */
function expectSame(signals: Signals): ReturnType<typeof own> {
  const [theirs, ours] = [circom(signals), own(signals)];
  if ('wires' in theirs && 'wires' in ours) {
    const expected = read(theirs.wires);
    const wires = read(ours.wires);
    expect(wires).toHaveLength(deployed.wireCount);
    expect(wires.flatMap((value, wire) => (value === expected[wire] ? [] : [wire]))).toEqual([]);
  } else {
    expect(ours).toEqual(theirs);
  }
  return ours;
}

/**
 * Expects that both calculators compute the same witness, that it satisfies every constraint, and that the rows are those
 * of the constraints.
 */
function expectWitness(signals: Signals): void {
  const outcome = expectSame(signals);
  if (!('wires' in outcome)) throw new Error(`Both reject true signals: ${outcome.rejectedBy}`);
  const wires = read(outcome.wires);
  expect(broken(deployed, wires)).toEqual([]);
  const { contextHash: _, ...secret } = asInput(signals);
  expect(contextHashOf(secret)).toBe(wires[1]);
  for (const matrix of ['a', 'b'] as const) {
    const rows = read(outcome[matrix]);
    const expected = deployed.constraints.map((constraint) => sum(constraint[matrix], wires));
    // The key has one more row for the constant, and one for the public signal.
    expected.push(...(matrix === 'a' ? wires.slice(0, 2) : [0n, 0n]));
    expect(rows).toHaveLength(expected.length);
    expect(rows.flatMap((value, row) => (value === expected[row] ? [] : [row]))).toEqual([]);
  }
}

describe('calculateWitness', () => {
  it.each(named(honestCases()))('computes the wires and rows of circom for %s', (_, { signals }) => {
    expectWitness(signals);
  });

  it('computes the wires and rows of circom for random true signals', () => {
    fc.assert(fc.property(trueSignals, expectWitness), { seed: 1399, numRuns: 150 });
  });

  it.each(named([...falseStatements(), ...reopenings()]))(
    'rejects %s by the statement of circom',
    (_, { signals }) => {
      expect(expectSame(signals)).toHaveProperty('rejectedBy');
    },
  );

  it('accepts and rejects random signals as circom does, by each statement', () => {
    const seen = new Set<string>();
    const property = fc.property(changedSignals, (signals) => {
      const outcome = expectSame(signals);
      seen.add('wires' in outcome ? 'accepted' : outcome.rejectedBy.join());
    });
    fc.assert(property, { seed: 1393, numRuns: 400 });
    expect([...seen].sort()).toEqual(['accepted', ...Object.values(STATEMENTS).map(String)].sort());
  });
});
