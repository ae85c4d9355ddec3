import { describe, expect, it } from 'vitest';
import { type Result, reachesGoal, resultOf, worseThan } from './results.ts';
import type { Row } from './row.ts';
import { median, quantile, ratioOf, spread } from './statistics.ts';

const row: Omit<Row, 'start' | 'rounds'> = {
  ...{ id: 'proof', what: 'a proof', against: 'another', unit: 'ms', better: 'lower', goal: 0.5 },
  steady: 'cpu',
};

describe('statistics', () => {
  it('takes the middle value, or the mean of the two middle ones, in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 4, 2])).toBe(3);
    expect(median([7])).toBe(7);
    expect(() => median([])).toThrow(RangeError);
  });

  it('interpolates quartiles, and divides their distance by the median', () => {
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(spread([1, 2, 3, 4, 5])).toBeCloseTo(2 / 3);
    expect(spread([4, 4, 4])).toBe(0);
    expect(spread([0, 0])).toBe(0);
  });

  it('divides the medians, and takes the spread of the ratios of the rounds', () => {
    // The load of the machine doubles, and every round has the ratio 0.5.
    expect(ratioOf([10, 20, 40], [20, 40, 80], 'lower')).toEqual({ ratio: 0.5, spread: 0 });
    expect(ratioOf([10, 20, 40], [20, 40, 80], 'higher')).toEqual({ ratio: 2, spread: 0 });
    expect(ratioOf([10, 30, 50], [10, 10, 10], 'lower')).toEqual({ ratio: 3, spread: 2 / 3 });
    expect(() => ratioOf([1], [1, 2], 'lower')).toThrow('equally many');
  });
});

describe('resultOf', () => {
  it('computes the ratios of values and of CPU time', () => {
    const ours = [1, 2, 3].map((value) => ({ value, cpu: value * 2 }));
    const peer = [4, 4, 4].map((value) => ({ value, cpu: 8 }));
    expect(resultOf(row, ours, peer)).toMatchObject({
      ratio: 0.5,
      ratioCpu: 0.5,
      rounds: 3,
      ours: { median: 2, spread: 0.5, cpu: 4 },
      peer: { median: 4, spread: 0, cpu: 8 },
    });
  });

  it('has the reason for a missed goal, and none for a reached one', () => {
    const known = { ...row, whyMissed: 'The peer does less.' };
    expect(resultOf(known, [{ value: 2 }], [{ value: 1 }])).toHaveProperty(
      'whyMissed',
      'The peer does less.',
    );
    expect(resultOf(known, [{ value: 1 }], [{ value: 2 }])).not.toHaveProperty('whyMissed');
  });

  it('has no ratio of CPU time if one side has none', () => {
    const result = resultOf(row, [{ value: 1, cpu: 1 }], [{ value: 2 }]);
    expect(result).not.toHaveProperty('ratioCpu');
    expect(result.ours).not.toHaveProperty('cpu');
  });
});

describe('worseThan', () => {
  const result = (change: Partial<Result>) =>
    ({ ...resultOf(row, [{ value: 1, cpu: 1 }], [{ value: 1, cpu: 1 }]), ...change }) as Result;
  const committed = [result({ ratioCpu: 0.5, ratio: 0.5 })];

  it('names a ratio that is worse by more than a fifth, with both figures', () => {
    expect(worseThan(committed, [result({ ratioCpu: 0.61 })])).toEqual([
      'proof: the ratio of CPU time is 0.61 and was 0.5. It may be worse by at most a fifth.',
    ]);
    expect(worseThan(committed, [result({ ratioCpu: 0.59 })])).toEqual([]);
    expect(worseThan(committed, [result({ ratioCpu: Number.NaN })])).toHaveLength(1);
  });

  it('compares the ratio that is steady, in the direction that is worse', () => {
    expect(worseThan(committed, [result({ ratioCpu: 0.5, ratio: 9 })])).toEqual([]);
    const value = { steady: 'value', ratio: 0.61 } as const;
    expect(worseThan(committed, [result(value)])).toHaveLength(1);
    expect(worseThan(committed, [result({ ...value, better: 'higher' })])).toEqual([]);
    expect(worseThan(committed, [result({ ...value, better: 'higher', ratio: 0.41 })])).toHaveLength(1);
  });

  it('leaves out a row that is not steady', () => {
    const { steady: _, ...unsteady } = result({ ratio: 9, ratioCpu: 9 });
    expect(worseThan(committed, [unsteady])).toEqual([]);
  });

  it('rejects a steady row that nobody committed', () => {
    expect(worseThan([], [result({})])).toEqual([expect.stringContaining('has no ratio to compare with')]);
  });
});

it('reaches a goal from below or from above', () => {
  expect(reachesGoal({ better: 'lower', ratio: 0.4, goal: 0.5 })).toBe(true);
  expect(reachesGoal({ better: 'lower', ratio: 0.6, goal: 0.5 })).toBe(false);
  expect(reachesGoal({ better: 'higher', ratio: 0.6, goal: 0.5 })).toBe(true);
  expect(reachesGoal({ better: 'higher', ratio: 0.4, goal: 0.5 })).toBe(false);
});
