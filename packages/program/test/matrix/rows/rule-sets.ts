import { MAX_PASS_AGE_LIMIT_SECONDS, MIN_PASS_AGE_SECONDS } from '@service/protocol';
import type { ClauseMasks } from '@service/protocol/eligibility';
import { SOL, UNRELATED_WALLET } from '../../support/chain.ts';
import { initializedChain } from '../../support/governance.ts';
import { eligibleChain, prove } from '../../support/passes.ts';
import {
  addRuleSet,
  CLAUSES,
  collectFees,
  createRuleSet,
  ruleSetChain,
  setMaxPassFee,
  TERMS,
  withdrawPassFunds,
} from '../../support/rule-sets.ts';
import { casesOf, prefixedNameAt, U64_MAX, valuesOf, WHILE_PAUSED, withChange } from '../cases.ts';
import { allowed, type DataCase, type Expectation, notTested, type Rows } from '../row.ts';

/** Bytes of an encoded clause, its region mask first. The scene's only clause is before the terms, which end the data. */
const CLAUSE_BYTES = 37;
/** Powers, whether there is a verifier, its address, and the limit of wallets, which may be left out. */
const TERMS_BYTES = 35;
const WITH_LIMIT = { ...TERMS, walletsPerPerson: 0 };
const FULL = { ...WITH_LIMIT, verifier: UNRELATED_WALLET };
const CLAUSE_AND_TERMS = CLAUSE_BYTES + TERMS_BYTES;
const GOOD = CLAUSES[0]!;
const FUNDS = 2n * SOL;

const created = casesOf(createRuleSet);

/** Returns cases of a clause in the only, the first and the last slot. */
const inEverySlot = (what: string, clause: ClauseMasks, expected: Expectation): DataCase[] =>
  [[clause], [clause, GOOD], [...Array<ClauseMasks>(7).fill(GOOD), clause]].map((clauses, index) =>
    created(`have ${what} in ${['the only', 'the first', 'the last'][index]} slot`, { clauses }, expected),
  );

const count = (value: number, expected: Expectation) =>
  withChange(`claim to be ${value} and are one`, expected, (data) =>
    data.with(data.length - CLAUSE_AND_TERMS - 1, value),
  );

export const RULE_SETS: Rows<'createRuleSet' | 'withdrawPassFunds' | 'setMaxPassFee' | 'collectFees'> = {
  createRuleSet: {
    scenes: {
      'of one clause': {
        ready: async () => ({
          chain: await initializedChain(),
          instruction: await createRuleSet({ terms: WITH_LIMIT }),
        }),
        accounts: {
          creator: { otherWallet: 'WRONG_ADDRESS' },
          ruleSet: { is: 'created' },
          config: {},
          systemProgram: {},
        },
        paused: 'PROTOCOL_PAUSED',
        twice: 'ALREADY_INITIALIZED',
      },
    },
    optionalBytes: [1, TERMS_BYTES],
    data: {
      nonce: [
        ...valuesOf(createRuleSet, 'nonce', [
          [0n, allowed('Any number is valid.')],
          [U64_MAX, allowed('Any number is valid.')],
        ]),
        withChange('derives another address', 'WRONG_ADDRESS', (data) => data.with(1, 2)),
      ],
      name: prefixedNameAt(9),
      maxPassAgeSeconds: valuesOf(createRuleSet, 'maxPassAgeSeconds', [
        [MIN_PASS_AGE_SECONDS, allowed('It is the limit.')],
        [MIN_PASS_AGE_SECONDS - 1n, 'MAX_PASS_AGE_INVALID'],
        [0n, 'MAX_PASS_AGE_INVALID'],
        [MAX_PASS_AGE_LIMIT_SECONDS, allowed('It is the limit.')],
        [MAX_PASS_AGE_LIMIT_SECONDS + 1n, 'MAX_PASS_AGE_INVALID'],
        [U64_MAX, 'MAX_PASS_AGE_INVALID'],
      ]),
      clauses: [
        created('are empty', { clauses: [] }, 'CLAUSE_COUNT_INVALID'),
        created('are eight', { clauses: Array(8).fill(GOOD) }, allowed('It is the limit.')),
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
          allowed('They are the limits.'),
        ),
        ...inEverySlot('no age', { ...GOOD, minAge: 0 }, allowed('A clause may accept any age.')),
        ...[0x20, 0x40, 0x80, 0xff].map((first) =>
          withChange(`have a mask that begins with ${first}`, 'CLAUSE_INVALID', (data) =>
            data.with(data.length - CLAUSE_AND_TERMS, first),
          ),
        ),
      ],
      terms: [
        created('are left out', { terms: null }, allowed('Then the rule set gives no powers.')),
        ...[0, 1, 2, 3].map((powers) =>
          created(`have the powers ${powers}`, { terms: { ...TERMS, powers } }, allowed('They exist.')),
        ),
        ...[4, 7, 128, 255].map((powers) =>
          created(`have the powers ${powers}`, { terms: { ...TERMS, powers } }, 'POWERS_INVALID'),
        ),
        ...[2, 128, 255].map((flag) =>
          withChange(`have ${flag} verifiers`, 'INVALID_INSTRUCTION_DATA', (data) =>
            data.with(data.length - TERMS_BYTES + 1, flag),
          ),
        ),
        withChange('have an address but no verifier', 'INVALID_INSTRUCTION_DATA', (data) =>
          data.with(data.length - 2, 1),
        ),
        ...[1, 2, 255].map((walletsPerPerson) =>
          created(
            `limit the wallets of each person to ${walletsPerPerson}`,
            { terms: { ...FULL, walletsPerPerson } },
            allowed('Every limit is valid with a verifier.'),
          ),
        ),
        ...[1, 2, 255].map((walletsPerPerson) =>
          created(
            `limit the wallets of each person to ${walletsPerPerson}, for any verifier`,
            { terms: { ...WITH_LIMIT, walletsPerPerson } },
            'WALLETS_PER_PERSON_INVALID',
          ),
        ),
        ...[6, 7, 8].map((clauses) =>
          created(
            `limit the wallets of each person, with ${clauses} clauses`,
            { clauses: Array(clauses).fill(GOOD), terms: { ...FULL, walletsPerPerson: 1 } },
            clauses === 6 ? allowed('It is the limit.') : 'WALLETS_PER_PERSON_INVALID',
          ),
        ),
        created(
          'name a verifier that does not exist',
          { terms: { ...TERMS, verifier: UNRELATED_WALLET } },
          allowed('Then nobody can prove it. Its creator can grant passes.'),
        ),
      ],
    },
  },

  withdrawPassFunds: {
    scenes: {
      'of half': {
        ready: async () => ({
          chain: await ruleSetChain({ passFunds: FUNDS }),
          instruction: await withdrawPassFunds(),
        }),
        accounts: {
          creator: { otherWallet: 'NOT_CREATOR' },
          ruleSet: {
            another: (chain) => addRuleSet(chain, { creator: 'outsider', passFunds: FUNDS }),
            sameKind: 'NOT_CREATOR',
          },
          recipient: {
            otherWallet: notTested('The instruction of this scene pays an unrelated wallet already.'),
            missing: allowed('It need not exist yet.'),
            same: {
              creator: allowed('The signer chooses where the lamports go.'),
              ruleSet: 'DUPLICATE_ACCOUNT',
            },
          },
        },
        paused: WHILE_PAUSED,
        twice: allowed('There are funds for both.'),
      },
    },
    data: {
      lamports: valuesOf(withdrawPassFunds, 'lamports', [
        [0n, 'AMOUNT_INVALID'],
        [1n, allowed('It is the smallest amount.')],
        [FUNDS, allowed('It is everything above rent.')],
        [FUNDS + 1n, 'WITHDRAWAL_TOO_HIGH'],
        [U64_MAX, 'WITHDRAWAL_TOO_HIGH'],
      ]),
    },
  },

  setMaxPassFee: {
    scenes: {
      'to more': {
        ready: async () => ({ chain: await ruleSetChain(), instruction: await setMaxPassFee() }),
        accounts: {
          creator: { otherWallet: 'NOT_CREATOR' },
          ruleSet: {
            another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
            sameKind: 'NOT_CREATOR',
          },
        },
        paused: WHILE_PAUSED,
        twice: allowed('It writes the same limit again.'),
      },
    },
    data: {
      lamports: valuesOf(setMaxPassFee, 'lamports', [
        [0n, allowed('The creator may pay no fee.')],
        [U64_MAX, allowed('The creator may agree to any fee.')],
      ]),
    },
  },

  collectFees: {
    scenes: {
      'of a proof': {
        ready: async () => {
          const chain = await eligibleChain();
          await chain.confirm(prove());
          return { chain, instruction: await collectFees() };
        },
        accounts: {
          ruleSet: {
            another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
            sameKind: allowed('It has no fees: nothing is moved.'),
          },
          // The program has borrowed the rule set to change it when it reads the treasury.
          treasury: { same: { ruleSet: 'DUPLICATE_ACCOUNT' } },
        },
        paused: WHILE_PAUSED,
        twice: allowed('The second moves nothing.'),
      },
    },
    data: {},
  },
};
