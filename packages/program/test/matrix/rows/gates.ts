import { gateListAddresses, mintConfigAddress } from '@service/protocol';
import { addressOf, type Chain, PROGRAM, SOL } from '../../support/chain.ts';
import {
  addFrozenMint,
  addGate,
  addTokenAcl,
  canFreeze,
  canThaw,
  createConfig,
  GATED,
  gatedChain,
  setGate,
} from '../../support/gates.ts';
import { HOLDER_EXPIRY } from '../../support/market.ts';
import { addRuleSet, passAt, ruleSetChain } from '../../support/rule-sets.ts';
import { tokens } from '../../support/token-instructions.ts';
import { flagAt } from '../cases.ts';
import { OTHER_ADDRESS } from '../columns.ts';
import { type AccountRow, type Accounts, allowed, each, type Rows, type Scene } from '../row.ts';

/** Returns a list of another gated mint. The stage does not remove its configuration, so each list has its own mint. */
const anotherList = (which: 'thawList' | 'freezeList') => async (chain: Chain) => {
  const mint = `gated mint with the other ${which}`;
  await addFrozenMint(chain, { mint });
  await addGate(chain, { mint });
  return (await gateListAddresses(PROGRAM, await addressOf(mint)))[which];
};

const gating = (lists: 'made if missing' | 'changed'): Scene<keyof Accounts<'setGate'>> => {
  const list = (which: 'thawList' | 'freezeList'): AccountRow<keyof Accounts<'setGate'>> =>
    lists === 'changed'
      ? { is: lists, another: anotherList(which), sameKind: 'WRONG_ADDRESS' }
      : // The list of can-thaw exists already when the other one is written.
        { is: lists, ...(which === 'freezeList' ? { same: { thawList: 'WRONG_ACCOUNT_TYPE' } } : {}) };
  return {
    ready: async () => {
      const chain = await ruleSetChain();
      addTokenAcl(chain);
      chain.fund(await addressOf('issuer'), SOL);
      await addFrozenMint(chain);
      await chain.confirm(createConfig());
      if (lists === 'changed') await chain.confirm(setGate());
      return { chain, instruction: await setGate({ honoursGranted: true }) };
    },
    accounts: {
      authority: { otherWallet: 'NOT_MINT_CONFIG_AUTHORITY' },
      mint: {
        another: (chain) => addFrozenMint(chain, { mint: 'other mint' }),
        ...each('MINT_CONFIG_MISMATCH', ...OTHER_ADDRESS),
      },
      mintConfig: {
        another: async (chain) => {
          await addFrozenMint(chain, { mint: 'other mint' });
          await chain.confirm(createConfig({ mint: 'other mint' }));
          return mintConfigAddress(await addressOf('other mint'));
        },
        sameKind: 'MINT_CONFIG_MISMATCH',
      },
      ruleSet: {
        another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
        sameKind: allowed('A gate may use the rule set of another creator.'),
      },
      thawList: list('thawList'),
      freezeList: list('freezeList'),
      config: {},
      systemProgram: {},
    },
    paused: 'PROTOCOL_PAUSED',
    twice: allowed('The authority may change the rule set any number of times.'),
  };
};

const NOT_READ = allowed('The program does not read it. Token ACL has checked what it needs.');

/** The accounts of a question that both have in common. */
const asking = (owner: string) => ({
  caller: { otherWallet: NOT_READ },
  tokenAccount: {
    another: () => tokens(owner === 'holder' ? 'other holder' : 'holder', GATED),
    sameKind: 'TOKEN_ACCOUNT_INVALID',
  } as const,
  mint: {
    another: () => addressOf('other mint'),
    ...each(NOT_READ, 'systemOwned', 'otherProgramOwned', 'shorter', 'zeros', 'missing'),
    ...each('BINDING_MISMATCH', ...OTHER_ADDRESS),
  },
  tokenAccountOwner: { otherWallet: 'TOKEN_ACCOUNT_INVALID' } as const,
  flag: { otherWallet: NOT_READ },
  config: {},
});

const WRITES_NOTHING = allowed('It writes nothing.');

/** The pass of a question about a freeze. An account that is not at the address of the pass is never a missing pass. */
const FREEZING_PASS: AccountRow = {
  another: () => passAt('other holder'),
  sameKind: 'WRONG_ADDRESS',
  ...each('WRONG_ADDRESS', 'otherWallet', 'otherTokenKind'),
  ...each(
    allowed('There is no pass at the address, so anyone may freeze. Nobody else can put an account there.'),
    ...(['systemOwned', 'otherProgramOwned', 'missing', 'closed'] as const),
  ),
};

const freezing = (owner: string, pass: AccountRow): Scene<keyof Accounts<'canFreeze'>> => ({
  ready: async () => {
    const chain = await gatedChain();
    chain.setTime(HOLDER_EXPIRY);
    return { chain, instruction: await canFreeze({ owner }) };
  },
  accounts: {
    ...asking(owner),
    freezeList: { another: anotherList('freezeList'), sameKind: 'BINDING_MISMATCH' },
    pass,
  },
  paused: allowed('A freeze only restricts.'),
  twice: WRITES_NOTHING,
});

export const GATES: Rows<'setGate' | 'canThaw' | 'canFreeze'> = {
  setGate: {
    scenes: { 'of a new gate': gating('made if missing'), again: gating('changed') },
    data: { honoursGranted: flagAt(1) },
  },

  canThaw: {
    scenes: {
      'of a holder': {
        ready: async () => ({ chain: await gatedChain(), instruction: await canThaw() }),
        accounts: {
          ...asking('holder'),
          thawList: { another: anotherList('thawList'), sameKind: 'BINDING_MISMATCH' },
          pass: {
            another: () => passAt('other holder'),
            sameKind: 'WRONG_ADDRESS',
            ...each(
              'DESTINATION_PASS_MISSING',
              ...(['otherWallet', 'systemOwned', 'otherProgramOwned', 'otherTokenKind', 'missing'] as const),
            ),
          },
        },
        paused: 'PROTOCOL_PAUSED',
        twice: WRITES_NOTHING,
      },
    },
    data: {},
    // Its first byte is the number of createRuleSet, which has four accounts.
    otherLength: 'WRONG_ACCOUNT_COUNT',
  },

  canFreeze: {
    scenes: {
      'of an expired holder': freezing('holder', { ...FREEZING_PASS, reopened: 'PASS_LIVE' }),
    },
    data: {},
  },
};
