import { SOL } from '../../support/chain.ts';
import { readyChain } from '../../support/governance.ts';
import { addRuleSet, withdrawPassFunds } from '../../support/rule-sets.ts';
import { U64_MAX, valuesOf, WHILE_PAUSED } from '../cases.ts';
import { notTested, works } from '../expectation.ts';
import type { Row } from '../row.ts';

const FUNDS = 2n * SOL;

/** The row of `withdraw-pass-funds`. */
export const row: Row<'withdrawPassFunds'> = {
  scenes: {
    'of half': {
      ready: async () => {
        const chain = await readyChain();
        await addRuleSet(chain, { passFunds: FUNDS });
        return { chain, instruction: await withdrawPassFunds() };
      },
      accounts: {
        creator: { cells: { otherWallet: 'NOT_CREATOR' } },
        ruleSet: {
          other: (chain) => addRuleSet(chain, { creator: 'outsider', passFunds: FUNDS }),
          cells: { other: 'NOT_CREATOR' },
        },
        recipient: {
          cells: {
            otherWallet: notTested('The instruction of this scene pays an unrelated wallet already.'),
            missing: works('It need not be there yet.'),
          },
          same: {
            creator: works('The lamports go where the signer says.'),
            ruleSet: 'DUPLICATE_ACCOUNT',
          },
        },
      },
      whole: { paused: WHILE_PAUSED, twice: works('There are funds for both.') },
    },
  },
  data: {
    lamports: valuesOf(
      (lamports: bigint) => withdrawPassFunds({ lamports }),
      [
        [0n, 'AMOUNT_INVALID'],
        [1n, works('It is the smallest amount.')],
        [FUNDS, works('It is everything above rent.')],
        [FUNDS + 1n, 'WITHDRAWAL_TOO_HIGH'],
        [U64_MAX, 'WITHDRAWAL_TOO_HIGH'],
      ],
    ),
  },
};
