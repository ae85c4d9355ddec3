import { REGION_GROUPS, REGIONS, STATUSES } from '@service/sdk';
import { expect, it } from 'vitest';
import { describeClause, describeClauses } from '../../examples/react/src/clauses/describe-clause.ts';
import { count, duration } from '../../examples/react/src/site/words.ts';

const { EU, EEA } = REGION_GROUPS;

it.each([
  [
    { regions: EU, statuses: ['professional'], minAge: 18 },
    'Adults (18+) from the EU who are professional investors',
  ],
  [
    { regions: [...EU, 'CH'], statuses: ['employee'], minAge: 0 },
    'People of any age from the EU or Switzerland who are employees',
  ],
  [
    { regions: EEA, statuses: ['retail', 'professional'], minAge: 21 },
    'People aged 21 or older from the EEA who are retail or professional investors',
  ],
  [
    { regions: ['FR', 'CH'], statuses: ['professional', 'employee'], minAge: 18 },
    'Adults (18+) from France or Switzerland who are professional investors or employees',
  ],
  [
    { regions: ['FR', 'DE', 'IT', 'ES', 'CH'], statuses: ['retail'], minAge: 18 },
    'Adults (18+) from 5 regions who are retail investors',
  ],
  [
    { regions: REGIONS.map(({ code }) => code), statuses: STATUSES.map(({ code }) => code), minAge: 18 },
    'Adults (18+) from anywhere',
  ],
  [{ regions: [], statuses: ['retail'], minAge: 18 }, 'Nobody'],
] as const)('describes a clause', (clause, words) => {
  expect(describeClause(clause)).toBe(words);
});

it('joins clauses to one sentence', () => {
  const clause = (region: 'FR' | 'CH') =>
    ({ regions: [region], statuses: ['employee'], minAge: 18 }) as const;
  expect(describeClauses([clause('FR'), clause('CH')])).toBe(
    'Adults (18+) from France who are employees; or adults (18+) from Switzerland who are employees.',
  );
});

it('writes counts and durations', () => {
  expect([count(1n, 'pass', 'passes'), count(1_000n, 'pass', 'passes')]).toEqual(['1 pass', '1,000 passes']);
  expect([86_400n, 2_592_000n, 129_600n, 5_400n, 61n].map(duration)).toEqual([
    '1 day',
    '30 days',
    '36 hours',
    '90 minutes',
    '61 seconds',
  ]);
});
