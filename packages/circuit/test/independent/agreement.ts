/** Compares what the independent crate decides with what both witness calculators and the protocol do. */
import path from 'node:path';
import {
  clauseHashes,
  commitmentOf,
  contextHash,
  EligibilityError,
  evaluateClause,
  passHash,
  privateInput,
  scopeOf,
  tagOf,
} from '@service/protocol/eligibility';
import { circomCalculator } from '../support/circom-calculator.ts';
import { type Rejection, STATEMENTS, witnessOrCode } from '../support/rejections.ts';
import type { Signals } from '../support/statement.ts';
import { type Cases, shortCases } from './cases.ts';
import type { FactCase } from './fact-cases.ts';

/** `accepted`, or the code of the first false part of the statement. */
export type Answer = 'accepted' | Rejection;

/** What the crate returns for facts. The hashes are in decimal. */
export interface FactAnswer {
  commitment: string;
  passHash: string;
  tag?: string;
  contextHash: string;
  clauses: Answer[];
}

/** What the crate returns, in the order of the cases. */
export interface Answers {
  statements: Answer[];
  facts: ({ Ok: FactAnswer } | { Err: string })[];
}

/** The answers of the crate to the short list. `npm run independent -w @service/circuit` writes them. */
export const ANSWERS = path.join(import.meta.dirname, 'generated/answers.json');

/** Returns the answers to the short list, from those to the whole one. */
export function shortAnswers({ statements, facts }: Answers): Answers {
  const short = shortCases();
  return {
    statements: statements.slice(0, short.statements.length),
    facts: facts.slice(0, short.facts.length),
  };
}

/** Returns the cases as the crate reads them. */
export function requestOf({ statements, facts }: Cases): object {
  return {
    statements: statements.map(({ signals }) => texts({ ...signals })),
    facts: facts.map(({ facts: { attributes, clauses, asOf, rule, wallet, expiresAt, place } }) => ({
      ...attributes,
      ...texts({ salt: attributes.salt, person: attributes.person, expiresAt }),
      birthDate: dateParts(attributes.birthDate),
      asOf: dateParts(asOf),
      clauses: clauses.map((clause) => ({
        ...texts({ regionMask: clause.regionMask, statusMask: BigInt(clause.statusMask) }),
        minAge: clause.minAge,
      })),
      rule: Buffer.from(rule).toString('hex'),
      wallet: Buffer.from(wallet).toString('hex'),
      place,
    })),
  };
}

/** Returns each difference between the answers of the crate and what is computed here, one a line. */
export async function differences({ statements, facts }: Cases, answers: Answers): Promise<string[]> {
  const decide = await calculators();
  const wrong = statements.flatMap(({ name, signals }, index) => {
    const answer = answers.statements[index];
    return decide(signals, answer).map((difference) => `${name}: ${difference}`);
  });
  if (answers.statements.length !== statements.length || answers.facts.length !== facts.length) {
    wrong.push('The number of answers is not that of the cases.');
  }
  for (const [index, each] of facts.entries()) {
    const answer = answers.facts[index] ?? { Err: 'no answer' };
    const found = 'Err' in answer ? [answer.Err] : await factDifferences(each.facts, answer.Ok, decide);
    wrong.push(...found.map((difference) => `${each.name}: ${difference}`));
  }
  return wrong;
}

type Decide = (signals: Signals, expected: Answer | undefined) => string[];

/** Returns a function that names the calculators whose decision is not the expected one. */
async function calculators(): Promise<Decide> {
  const circom = await circomCalculator();
  return (signals, expected) => {
    const outcome = witnessOrCode(signals);
    const own = typeof outcome === 'string' ? outcome : 'accepted';
    const theirs = circom(signals);
    const same =
      'rejectedBy' in theirs
        ? expected !== undefined &&
          expected !== 'accepted' &&
          String(STATEMENTS[expected]) === String(theirs.rejectedBy)
        : expected === 'accepted';
    const circoms = 'rejectedBy' in theirs ? theirs.rejectedBy.join() : 'accepted';
    return [
      ...(own === expected ? [] : [`the crate says ${expected}, calculateWitness ${own}`]),
      ...(same ? [] : [`the crate says ${expected}, eligibility.wasm ${circoms}`]),
    ];
  };
}

async function factDifferences(facts: FactCase['facts'], answer: FactAnswer, decide: Decide) {
  const { attributes, clauses, asOf, place, rule } = facts;
  const wrong: string[] = [];
  const expectSame = (what: string, here: unknown, there: unknown) => {
    if (here !== there) wrong.push(`${what}: the crate says ${there}, the protocol ${here}`);
  };
  const commitment = commitmentOf(attributes);
  const pass = await passHash(facts);
  const placed = place === undefined ? undefined : await placeOf(attributes.person, rule, place);
  const slots = clauseHashes(clauses);
  const hash = contextHash({ clauseHashes: slots, commitment, asOf, passHash: pass, place: placed });
  expectSame('commitment', String(commitment), answer.commitment);
  expectSame('pass hash', String(pass), answer.passHash);
  expectSame('tag', placed && String(placed.tag), answer.tag);
  expectSame('context hash', String(hash), answer.contextHash);
  expectSame('opened clause', await openedBy(facts), answer.clauses.indexOf('accepted'));
  for (const [index, clause] of clauses.entries()) {
    const expected = answer.clauses[index];
    expectSame(`clause ${index}`, evaluateClause(attributes, clause, asOf).holds, expected === 'accepted');
    const signals: Signals = {
      contextHash: BigInt(answer.contextHash),
      region: BigInt(attributes.region),
      status: BigInt(attributes.status),
      birthDate: BigInt(attributes.birthDate),
      salt: attributes.salt,
      person: attributes.person,
      limited: placed ? 1n : 0n,
      clauseHashes: placed ? [...slots.slice(0, 6), placed.scope, placed.tag] : slots,
      regionMask: clause.regionMask,
      statusMask: BigInt(clause.statusMask),
      minAge: BigInt(clause.minAge),
      asOf: BigInt(asOf),
      passHash: pass,
    };
    wrong.push(...decide(signals, expected).map((difference) => `clause ${index}: ${difference}`));
  }
  return wrong;
}

async function placeOf(person: bigint, rule: Uint8Array, place: number) {
  const scope = await scopeOf({ rule, place });
  return { scope, tag: tagOf({ person, scope }) };
}

/** Returns the index of the clause that the client proves, or -1 if it finds none that holds. */
async function openedBy(facts: FactCase['facts']): Promise<number> {
  try {
    const { regionMask, statusMask, minAge } = await privateInput(facts);
    return facts.clauses.findIndex(
      (clause) =>
        String([clause.regionMask, clause.statusMask, clause.minAge]) ===
        String([regionMask, statusMask, minAge]),
    );
  } catch (error) {
    if (error instanceof EligibilityError && error.code === 'NOT_ELIGIBLE') return -1;
    throw error;
  }
}

/** Returns year, month and day of a date code. */
function dateParts(code: number): [year: number, month: number, day: number] {
  return [1900 + (code >> 9), (code >> 5) & 15, code & 31];
}

/** Returns integers, and lists of them, in decimal. */
function texts(numbers: Readonly<Record<string, bigint | readonly bigint[]>>): object {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : value.map(String),
    ]),
  );
}
