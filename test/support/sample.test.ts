import { expect, it } from 'vitest';
import { sampled, sampledNumbers } from './sample.ts';

const CASES = Array.from({ length: 95 }, (_, index) => index);
const tenth = (seed: number) => sampled(CASES, { seed, all: false });

it('returns a tenth in the order of the cases, the same for the same seed', () => {
  const first = tenth(1);
  expect(first).toHaveLength(10);
  expect(new Set(first).size).toBe(10);
  expect([...first].sort((a, b) => a - b)).toEqual(first);
  expect(tenth(1)).toEqual(first);
  expect(tenth(2)).not.toEqual(first);
});

it('reaches every case with some seed', () => {
  const reached = new Set(CASES.flatMap((seed) => tenth(seed)));
  expect(reached.size).toBe(95);
});

it('yields each tenth number from one below ten, or every number when everything runs', () => {
  const three = (options: object) => {
    const numbers = sampledNumbers({ seed: 34, ...options });
    return [numbers.next().value, numbers.next().value, numbers.next().value];
  };
  expect(three({ all: false })).toEqual([4, 14, 24]);
  expect(three({ all: true })).toEqual([0, 1, 2]);
});

it('returns one case of a few, none of none, and all when everything runs', () => {
  expect(sampled(['only'], { seed: 1, all: false })).toEqual(['only']);
  expect(sampled([], { seed: 1, all: false })).toEqual([]);
  expect(sampled(CASES, { seed: 1, all: true })).toEqual(CASES);
});
