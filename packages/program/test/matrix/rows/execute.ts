import { addressOf } from '../../support/chain.ts';
import { at } from '../../support/governance.ts';
import { ruleAddress } from '../../support/rule-sets.ts';
import { BOTH, ONE, tokens } from '../../support/token-instructions.ts';
import { execute, marketChain, markTransfer } from '../../support/transfers.ts';
import { ANY_VALUE } from '../cases.ts';
import { type Expectation, each, works } from '../expectation.ts';
import type { AccountRow, Ready, Row, Scene } from '../row.ts';

const AGAIN = works('It writes nothing.');
const UNREAD = works('Token-2022 has checked it: it is not read here.');

/** The chain as it is while Token-2022 calls the hook, both accounts marked. */
async function midTransfer(mint: string): Promise<Ready> {
  const chain = await marketChain();
  await markTransfer(chain, mint);
  return { chain, instruction: await execute({ mint }) };
}

const passOf = async (name: string) => at.pass(await ruleAddress(), await addressOf(name));

const pass = (missing: Expectation, other: string): AccountRow<'execute'> => ({
  other: () => passOf(other),
  cells: {
    other: 'WRONG_ADDRESS',
    ...each(missing, 'otherWallet', 'systemOwned', 'otherProgramOwned', 'posingToken'),
    missing,
  },
});

const accounts = (otherMint: string): Omit<Scene<'execute'>['accounts'], 'sourcePass'> => ({
  source: {
    other: () => tokens('holder', otherMint),
    cells: { other: 'TOKEN_ACCOUNT_INVALID' },
    same: { destination: 'DUPLICATE_ACCOUNT' },
  },
  mint: {
    other: () => addressOf(otherMint),
    cells: {
      ...each('BINDING_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
      ...each(UNREAD, 'systemOwned', 'otherProgramOwned', 'shorter', 'zeros', 'missing'),
    },
  },
  destination: {
    other: () => tokens('other holder', otherMint),
    cells: { other: 'TOKEN_ACCOUNT_INVALID' },
    same: { source: 'DUPLICATE_ACCOUNT' },
  },
  authority: { cells: { otherWallet: UNREAD } },
  extraAccountMetaList: {
    other: async () => at.extraAccountMetaList(await addressOf(otherMint)),
    cells: { other: 'BINDING_MISMATCH' },
  },
  config: {},
  destinationPass: pass('DESTINATION_PASS_MISSING', 'holder'),
});

const whole: Scene<'execute'>['whole'] = { paused: 'PROTOCOL_PAUSED', twice: AGAIN };

/** The row of `execute`. */
export const row: Row<'execute'> = {
  scenes: {
    'for destinations': {
      ready: () => midTransfer(ONE),
      accounts: {
        ...accounts(BOTH),
        sourcePass: { is: 'left out', cells: { otherWallet: 'WRONG_ACCOUNT_COUNT' } },
      },
      whole,
    },
    'for both': {
      ready: () => midTransfer(BOTH),
      accounts: { ...accounts(ONE), sourcePass: pass('SOURCE_PASS_MISSING', 'other holder') },
      whole,
    },
  },
  data: { amount: ANY_VALUE },
};
