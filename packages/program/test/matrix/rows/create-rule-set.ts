import { MAX_PASS_AGE_LIMIT_SECONDS, MIN_PASS_AGE_SECONDS } from '@service/protocol';
import type { ClauseMasks } from '@service/protocol/eligibility';
import { initializedChain } from '../../support/governance.ts';
import { CLAUSES, createRuleSet } from '../../support/rule-sets.ts';
import { casesOf, prefixedNameAt, U64_MAX } from '../cases.ts';
import { works } from '../expectation.ts';
import type { DataCase, Row } from '../row.ts';

/** Bytes of an encoded clause, its region mask first; the scene's only clause ends the data. */
const CLAUSE_BYTES = 37;
const GOOD = CLAUSES[0]!;

const created = casesOf(createRuleSet);

/** A clause in the only, the first and the last slot. */
const inEverySlot = (what: string, clause: ClauseMasks, expected: DataCase['expected']): DataCase[] =>
  [[clause], [clause, GOOD], [...Array<ClauseMasks>(7).fill(GOOD), clause]].map((clauses, index) =>
    created(`have ${what} in ${['the only', 'the first', 'the last'][index]} slot`, { clauses }, expected),
  );

const count = (value: number, expected: DataCase['expected']): DataCase => ({
  what: `claim to be ${value} and are one`,
  expected,
  data: (data) => data.with(data.length - CLAUSE_BYTES - 1, value),
});

/** The row of `create-rule-set`. */
export const row: Row<'createRuleSet'> = {
  scenes: {
    'of one clause': {
      ready: async () => ({ chain: await initializedChain(), instruction: await createRuleSet() }),
      accounts: {
        creator: { cells: { otherWallet: 'WRONG_ADDRESS' } },
        ruleSet: { is: 'created' },
        config: {},
        systemProgram: {},
      },
      whole: { paused: 'PROTOCOL_PAUSED', twice: 'ALREADY_INITIALIZED' },
    },
  },
  data: {
    nonce: [
      created('is zero', { nonce: 0n }, works('Any number is valid.')),
      created('is the largest', { nonce: U64_MAX }, works('Any number is valid.')),
      { what: 'derives another address', expected: 'WRONG_ADDRESS', data: (data) => data.with(1, 2) },
    ],
    name: prefixedNameAt(9),
    maxPassAgeSeconds: [
      created('is the smallest', { maxPassAgeSeconds: MIN_PASS_AGE_SECONDS }, works('It is the limit.')),
      created('is less', { maxPassAgeSeconds: MIN_PASS_AGE_SECONDS - 1n }, 'MAX_PASS_AGE_INVALID'),
      created('is zero', { maxPassAgeSeconds: 0n }, 'MAX_PASS_AGE_INVALID'),
      created('is the limit', { maxPassAgeSeconds: MAX_PASS_AGE_LIMIT_SECONDS }, works('It is the limit.')),
      created('is more', { maxPassAgeSeconds: MAX_PASS_AGE_LIMIT_SECONDS + 1n }, 'MAX_PASS_AGE_INVALID'),
      created('is the largest', { maxPassAgeSeconds: U64_MAX }, 'MAX_PASS_AGE_INVALID'),
    ],
    clauses: [
      created('are empty', { clauses: [] }, 'CLAUSE_COUNT_INVALID'),
      created('are eight', { clauses: Array(8).fill(GOOD) }, works('It is the limit.')),
      created('are nine', { clauses: Array(9).fill(GOOD) }, 'CLAUSE_COUNT_INVALID'),
      count(0, 'CLAUSE_COUNT_INVALID'),
      count(2, 'INVALID_INSTRUCTION_DATA'),
      count(8, 'INVALID_INSTRUCTION_DATA'),
      count(255, 'CLAUSE_COUNT_INVALID'),
      ...inEverySlot('no region', { ...GOOD, regionMask: 0n }, 'CLAUSE_INVALID'),
      ...inEverySlot('no status', { ...GOOD, statusMask: 0 }, 'CLAUSE_INVALID'),
      ...inEverySlot('only zeros', { regionMask: 0n, statusMask: 0, minAge: 0 }, 'CLAUSE_INVALID'),
      ...inEverySlot('region 253', { ...GOOD, regionMask: 2n ** 253n }, 'CLAUSE_INVALID'),
      ...inEverySlot('region 253 and another', { ...GOOD, regionMask: 2n ** 253n + 1n }, 'CLAUSE_INVALID'),
      ...inEverySlot(
        'every region, status and age',
        { regionMask: 2n ** 253n - 1n, statusMask: 2 ** 32 - 1, minAge: 255 },
        works('They are the limits.'),
      ),
      ...inEverySlot('no age', { ...GOOD, minAge: 0 }, works('A clause may accept any age.')),
      ...[0x20, 0x40, 0x80, 0xff].map(
        (first): DataCase => ({
          what: `have a mask that begins with ${first}`,
          expected: 'CLAUSE_INVALID',
          data: (data) => data.with(data.length - CLAUSE_BYTES, first),
        }),
      ),
    ],
  },
};
