import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../test/support/with-code.ts';
import { type ClauseMasks, checkClause, checkClauses, evaluateClause, matchingClause } from './clause.ts';
import { dateCode, dateCodeAt } from './date-code.ts';

const clause: ClauseMasks = { regionMask: 0b1010n, statusMask: 0b11, minAge: 18 };
const person = { region: 3, status: 1, birthDate: dateCode({ year: 2000, month: 6, day: 15 }) };
const on = (year: number, month: number, day: number) => dateCode({ year, month, day });

describe('evaluateClause', () => {
  it('holds from the birthday on', () => {
    expect(evaluateClause(person, clause, on(2018, 6, 14))).toEqual({ holds: false, unmet: ['age'] });
    expect(evaluateClause(person, clause, on(2018, 6, 15))).toEqual({ holds: true, unmet: [] });
  });

  it('counts a birth on 29 February from 1 March of a common year', () => {
    const leapling = { ...person, birthDate: on(2004, 2, 29) };
    expect(evaluateClause(leapling, clause, on(2022, 2, 28)).holds).toBe(false);
    expect(evaluateClause(leapling, clause, on(2022, 3, 1)).holds).toBe(true);
    expect(evaluateClause(leapling, { ...clause, minAge: 20 }, on(2024, 2, 29)).holds).toBe(true);
  });

  it('agrees with an age counted in years, months and days', () => {
    const second = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2155, 11, 31) / 1000 });
    fc.assert(
      fc.property(second, second, fc.integer({ min: 0, max: 255 }), (born, now, minAge) => {
        const [b, n] = [new Date(born * 1000), new Date(now * 1000)];
        const beforeBirthday = (n.getUTCMonth() - b.getUTCMonth() || n.getUTCDate() - b.getUTCDate()) < 0;
        const age = n.getUTCFullYear() - b.getUTCFullYear() - (beforeBirthday ? 1 : 0);
        const anyone = { region: 1, status: 0, birthDate: dateCodeAt(BigInt(born)) };
        const evaluation = evaluateClause(anyone, { ...clause, minAge }, dateCodeAt(BigInt(now)));
        expect(evaluation.holds).toBe(age >= minAge);
      }),
    );
  });

  it('names every requirement that is not met', () => {
    const nobody = { region: 2, status: 31, birthDate: on(2020, 1, 1) };
    expect(evaluateClause(nobody, clause, on(2026, 1, 1)).unmet).toEqual(['region', 'status', 'age']);
  });

  it('reads the highest bits of both masks', () => {
    const edges: ClauseMasks = { regionMask: 1n << 252n, statusMask: 2 ** 31, minAge: 0 };
    expect(evaluateClause({ ...person, region: 252, status: 31 }, edges, on(2026, 1, 1)).holds).toBe(true);
    expect(evaluateClause({ ...person, region: 251, status: 30 }, edges, on(2026, 1, 1)).unmet).toEqual([
      'region',
      'status',
    ]);
  });
});

describe('matchingClause', () => {
  const asOf = on(2026, 1, 1);
  const other: ClauseMasks = { regionMask: 1n, statusMask: 1, minAge: 0 };

  it('returns the index of the first clause that holds', () => {
    expect(matchingClause(person, [other, clause, { ...clause, minAge: 0 }], asOf)).toBe(1);
  });

  it('returns undefined if no clause holds, even if two clauses together would', () => {
    const rightRegion: ClauseMasks = { ...clause, statusMask: 0b100 };
    const rightStatus: ClauseMasks = { ...clause, regionMask: 1n };
    expect(matchingClause(person, [rightRegion, rightStatus], asOf)).toBeUndefined();
  });
});

describe('checkClause', () => {
  it.each([
    ['an empty region mask', { regionMask: 0n }],
    ['a negative region mask', { regionMask: -1n }],
    ['a region mask of 254 bits', { regionMask: 1n << 253n }],
    ['a region mask that is not a bigint', { regionMask: 1 as unknown as bigint }],
    ['an empty status mask', { statusMask: 0 }],
    ['a status mask of 33 bits', { statusMask: 2 ** 32 }],
    ['a negative status mask', { statusMask: -1 }],
    ['a fractional status mask', { statusMask: 1.5 }],
    ['an age of 256', { minAge: 256 }],
    ['a negative age', { minAge: -1 }],
    ['a fractional age', { minAge: 17.5 }],
  ])('rejects %s', (_, change) => {
    expect(() => checkClause({ ...clause, ...change })).toThrow(withCode('CLAUSE_INVALID'));
  });

  it('accepts the largest value of each field', () => {
    checkClause({ regionMask: (1n << 253n) - 1n, statusMask: 2 ** 32 - 1, minAge: 255 });
  });

  it('accepts 1 to 8 clauses', () => {
    checkClauses(Array(8).fill(clause));
    for (const count of [0, 9]) {
      expect(() => checkClauses(Array(count).fill(clause))).toThrow(withCode('CLAUSE_INVALID'));
    }
  });
});
