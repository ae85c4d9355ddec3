import { expect, test } from 'vitest';
import { databaseFaults } from '../faults/database.ts';
import { processFaults } from '../faults/process.ts';
import { rpcFaults } from '../faults/rpc.ts';
import { createRandom } from '../random.ts';
import { type PlannedFault, rounds } from './rounds.ts';

const KINDS = [...processFaults, ...databaseFaults, ...rpcFaults];

function planOf(seed: number, count: number): (readonly PlannedFault[])[] {
  const plan = rounds(KINDS, createRandom(seed));
  return Array.from({ length: count }, () => plan.next().value);
}

test('a seed repeats the plan, and another seed has another one', () => {
  expect(planOf(7, 50)).toEqual(planOf(7, 50));
  expect(planOf(7, 50)).not.toEqual(planOf(8, 50));
});

test('a round has one to four faults, of which no two are of one area', () => {
  for (const round of planOf(1, 200)) {
    expect(round.length).toBeGreaterThan(0);
    expect(round.length).toBeLessThanOrEqual(4);
    const areas = round.map(({ kind }) => kind.area).filter((area) => area !== null);
    expect(new Set(areas).size).toBe(areas.length);
  }
});

test('every kind comes before any comes again', () => {
  const dealt = planOf(3, 200).flatMap((round) => round.map(({ kind }) => kind));
  const names = (from: number) => dealt.slice(from, from + KINDS.length).map(({ name }) => name);
  expect(names(0).sort()).toEqual(KINDS.map(({ name }) => name).sort());
  expect(names(KINDS.length).sort()).toEqual(names(0).sort());
});
