import { SOL } from '../../support/chain.ts';
import { at, readyChain, withdrawFees } from '../../support/governance.ts';
import { U64_MAX, valuesOf, WHILE_PAUSED } from '../cases.ts';
import { notTested, works } from '../expectation.ts';
import type { Row } from '../row.ts';

const FEES = 2n * SOL;
const CHOICE = works('The lamports go where the signer says.');

/** The row of `withdraw-fees`. */
export const row: Row<'withdrawFees'> = {
  scenes: {
    'of half': {
      ready: async () => {
        const chain = await readyChain();
        chain.fund(await at.treasury(), FEES);
        return { chain, instruction: await withdrawFees() };
      },
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        config: {},
        treasury: {},
        recipient: {
          cells: {
            otherWallet: notTested('The instruction of this scene pays an unrelated wallet already.'),
            missing: works('It need not be there yet.'),
          },
          same: { authority: CHOICE, config: CHOICE, treasury: 'DUPLICATE_ACCOUNT' },
        },
      },
      whole: { paused: WHILE_PAUSED, twice: works('There are fees for both.') },
    },
  },
  data: {
    lamports: valuesOf(
      (lamports: bigint) => withdrawFees({ lamports }),
      [
        [0n, 'AMOUNT_INVALID'],
        [1n, works('It is the smallest amount.')],
        [FEES, works('It is everything above rent.')],
        [FEES + 1n, 'WITHDRAWAL_TOO_HIGH'],
        [U64_MAX, 'WITHDRAWAL_TOO_HIGH'],
      ],
    ),
  },
};
