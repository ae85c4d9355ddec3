import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STATEMENTS } from '../support/rejections.ts';
import { ANSWERS, type Answers, differences } from './agreement.ts';
import { shortCases } from './cases.ts';

const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;
const cases = shortCases();

it('the calculators and the protocol decide as the independent crate did', async () => {
  expect(await differences(cases, answers)).toEqual([]);
});

it('the answers contain each way to reject a statement, and each kind of clause', () => {
  const found = new Set(answers.statements);
  expect([...found].sort()).toEqual(['accepted', ...Object.keys(STATEMENTS)].sort());
  const clauses = new Set(
    answers.facts.flatMap((answer) => ('Ok' in answer ? answer.Ok.clauses : ['error'])),
  );
  expect([...clauses].sort()).toEqual([
    'AGE_NOT_REACHED',
    'REGION_NOT_ACCEPTED',
    'STATUS_NOT_ACCEPTED',
    'accepted',
  ]);
});

it('an answer that differs is found in both calculators', async () => {
  const [first] = cases.statements;
  const wrong: Answers = { statements: ['PERSON_TAG'], facts: [] };
  expect(await differences({ statements: [first!], facts: [] }, wrong)).toEqual([
    `${first!.name}: the crate says PERSON_TAG, calculateWitness accepted`,
    `${first!.name}: the crate says PERSON_TAG, eligibility.wasm accepted`,
  ]);
});
