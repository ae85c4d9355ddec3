import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import { STATEMENTS } from '../support/rejections.ts';
import { ANSWERS, type Answers, differences } from './agreement.ts';
import { shortCases } from './cases.ts';

const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;
const cases = shortCases();

it('the calculators and the protocol decide as the independent crate did', async () => {
  expect(answers.statements).toHaveLength(cases.statements.length);
  expect(answers.facts).toHaveLength(cases.facts.length);
  const statements = sampled([...cases.statements.keys()]);
  const facts = sampled([...cases.facts.keys()]);
  const chosen = {
    statements: statements.map((index) => cases.statements[index]!),
    facts: facts.map((index) => cases.facts[index]!),
  };
  const theirs = {
    statements: statements.map((index) => answers.statements[index]!),
    facts: facts.map((index) => answers.facts[index]!),
  };
  expect(await differences(chosen, theirs)).toEqual([]);
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
