import { type Chain, DAY, NOW } from '../../support/chain.ts';
import { PASS_FEE } from '../../support/governance.ts';
import { HOLDER_EXPIRY, holdersChain } from '../../support/market.ts';
import { endGrant, grantPass, LATEST_EXPIRY, liftSuspension, suspendPass } from '../../support/passes.ts';
import { addRuleSet, passAt } from '../../support/rule-sets.ts';
import { casesOf, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { NOT_OF_PROGRAM, OTHER_ADDRESS } from '../columns.ts';
import {
  type AccountRow,
  type Accounts,
  allowed,
  type Expectation,
  each,
  notTested,
  type Rows,
} from '../row.ts';

const otherPass = () => passAt('other holder');

/** Returns a chain with the pass of the custodian granted, and one of the outsider. */
async function grantsChain(): Promise<Chain> {
  const chain = await holdersChain();
  await chain.confirm(grantPass());
  await chain.confirm(grantPass({ holder: 'outsider' }));
  return chain;
}

const otherGrant = () => passAt('outsider');
const ruleOfOther = {
  another: (chain: Chain) => addRuleSet(chain, { creator: 'outsider', passFunds: PASS_FEE }),
  sameKind: 'NOT_CREATOR',
} as const;
const GRANTED = notTested('A pass without a proof has no verifier that could become inactive.');

const SUSPENDING = {
  creator: { otherWallet: 'NOT_CREATOR' },
  ruleSet: ruleOfOther,
  wallet: { otherWallet: 'WRONG_ADDRESS' },
  systemProgram: {},
} as const satisfies Partial<Accounts<'suspendPass'>>;

const SUSPENDED: AccountRow<keyof Accounts<'suspendPass'>> = {
  another: otherPass,
  sameKind: 'WRONG_ADDRESS',
  ...each('PASS_NOT_SUSPENDED', ...NOT_OF_PROGRAM),
  ...each(notTested('Nothing closes a suspended pass.'), 'closed', 'reopened'),
  same: { systemProgram: 'NOT_WRITABLE' },
};

const suspending = casesOf(async (until: bigint) => suspendPass({ until }));
const granting = casesOf(async (expiresAt: bigint) => grantPass({ expiresAt }));
const ending = (byOther: Expectation): Accounts<'endGrant'> => ({
  sender: { otherWallet: byOther },
  pass: {
    another: otherGrant,
    sameKind: allowed('Its creator is the same: any grant of the rule set may end.'),
    ...each(GRANTED, 'closed', 'reopened'),
  },
  ruleSet: {
    another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
    ...each('WRONG_ADDRESS', ...OTHER_ADDRESS),
  },
  creator: { otherWallet: 'WRONG_ADDRESS' },
  // The program has borrowed the pass to change it when it reads Config.
  config: { same: { pass: 'DUPLICATE_ACCOUNT' } },
});
const AGAIN = allowed('It writes the same again.');

export const CREATOR_POWERS: Rows<'suspendPass' | 'grantPass' | 'endGrant'> = {
  suspendPass: {
    scenes: {
      'of a pass': {
        ready: async () => ({ chain: await holdersChain(), instruction: await suspendPass() }),
        accounts: {
          ...SUSPENDING,
          pass: { is: 'changed', another: otherPass, sameKind: 'WRONG_ADDRESS' },
        },
        paused: WHILE_PAUSED,
        twice: AGAIN,
      },
      'of a wallet without one': {
        ready: async () => ({
          chain: await holdersChain(),
          instruction: await suspendPass({ holder: 'outsider' }),
        }),
        accounts: { ...SUSPENDING, pass: { is: 'made if missing' } },
        paused: WHILE_PAUSED,
        twice: AGAIN,
      },
      'that ends': {
        ready: async () => {
          const chain = await holdersChain();
          await chain.confirm(suspendPass());
          return { chain, instruction: await liftSuspension() };
        },
        accounts: {
          ...SUSPENDING,
          pass: SUSPENDED,
        },
        paused: WHILE_PAUSED,
        twice: 'PASS_NOT_SUSPENDED',
      },
      'that ends, of a wallet without a pass': {
        ready: async () => {
          const chain = await holdersChain();
          await chain.confirm(suspendPass({ holder: 'outsider' }));
          return { chain, instruction: await liftSuspension({ holder: 'outsider' }) };
        },
        accounts: { ...SUSPENDING, pass: SUSPENDED },
        paused: WHILE_PAUSED,
        twice: 'PASS_NOT_SUSPENDED',
      },
    },
    data: {
      until: [
        suspending('is one', 1n, 'SUSPENSION_INVALID'),
        suspending('is now', NOW, 'SUSPENSION_INVALID'),
        suspending('is the next second', NOW + 1n, allowed('It is the earliest end.')),
        suspending('is the largest number', U64_MAX, allowed('It lasts until it is lifted.')),
        suspending('is zero', 0n, 'PASS_NOT_SUSPENDED'),
      ],
    },
  },

  grantPass: {
    scenes: {
      'of a new pass': {
        ready: async () => ({ chain: await holdersChain(), instruction: await grantPass() }),
        accounts: {
          creator: { otherWallet: 'NOT_CREATOR' },
          config: {},
          ruleSet: { ...ruleOfOther, same: { config: 'DUPLICATE_ACCOUNT' } },
          wallet: { otherWallet: 'WRONG_ADDRESS' },
          pass: { is: 'made if missing' },
          systemProgram: {},
        },
        paused: 'PROTOCOL_PAUSED',
        twice: AGAIN,
      },
      'of a renewal': {
        ready: async () => ({ chain: await grantsChain(), instruction: await grantPass() }),
        accounts: {
          creator: { otherWallet: 'NOT_CREATOR' },
          config: {},
          ruleSet: { ...ruleOfOther, same: { config: 'DUPLICATE_ACCOUNT' } },
          wallet: { otherWallet: 'WRONG_ADDRESS' },
          pass: {
            is: 'changed',
            another: otherGrant,
            sameKind: 'WRONG_ADDRESS',
            ...each(GRANTED, 'closed', 'reopened'),
          },
          systemProgram: {},
        },
        paused: 'PROTOCOL_PAUSED',
        twice: AGAIN,
      },
      'of an ended pass': {
        ready: async () => {
          const chain = await holdersChain();
          chain.setTime(HOLDER_EXPIRY);
          const instruction = await grantPass({ holder: 'holder', expiresAt: HOLDER_EXPIRY + DAY });
          return { chain, instruction };
        },
        accounts: {
          creator: { otherWallet: 'NOT_CREATOR' },
          config: {},
          ruleSet: { ...ruleOfOther, same: { config: 'DUPLICATE_ACCOUNT' } },
          wallet: { otherWallet: 'WRONG_ADDRESS' },
          pass: { is: 'changed', another: otherPass, sameKind: 'PASS_LIVE', reopened: 'PASS_LIVE' },
          systemProgram: {},
        },
        paused: 'PROTOCOL_PAUSED',
        twice: AGAIN,
      },
    },
    data: {
      expiresAt: [
        granting('is zero', 0n, 'PASS_EXPIRY_INVALID'),
        granting('is now', NOW, 'PASS_EXPIRY_INVALID'),
        granting('is the next second', NOW + 1n, allowed('It is the earliest end.')),
        granting('is the latest that the rule set allows', LATEST_EXPIRY, allowed('It is the limit.')),
        granting('is a second later than the rule set allows', LATEST_EXPIRY + 1n, 'PASS_EXPIRY_INVALID'),
        granting('is the largest number', U64_MAX, 'PASS_EXPIRY_INVALID'),
      ],
    },
  },

  endGrant: {
    scenes: {
      'by the creator': {
        ready: async () => ({ chain: await grantsChain(), instruction: await endGrant() }),
        accounts: ending('NOT_CREATOR'),
        paused: WHILE_PAUSED,
        twice: 'WRONG_OWNER',
      },
      'by anyone': {
        ready: async () => {
          const chain = await grantsChain();
          chain.setTime(NOW + DAY);
          return { chain, instruction: await endGrant({ sender: 'holder' }) };
        },
        accounts: ending(allowed('Anyone may end it once it is over.')),
        paused: WHILE_PAUSED,
        twice: 'WRONG_OWNER',
      },
    },
    data: {},
  },
};
