import { issueTokens } from '../../support/bindings.ts';
import { addressOf } from '../../support/chain.ts';
import { at } from '../../support/governance.ts';
import { ruleAddress } from '../../support/rule-sets.ts';
import { BOTH, tokens } from '../../support/token-instructions.ts';
import { marketChain } from '../../support/transfers.ts';
import { U64_MAX, valuesOf } from '../cases.ts';
import { each, notTested, outside, works } from '../expectation.ts';
import type { Row } from '../row.ts';

const AGAIN = works('The issuer may issue any number of times.');

const BY_TOKEN_2022 = outside(
  /IncorrectProgramId|InvalidAccountData|UninitializedAccount/,
  'The binding names the mint; Token-2022 checks its content when it mints.',
);

/** The row of `issue-tokens`. */
export const row: Row<'issueTokens'> = {
  scenes: {
    'to a holder': {
      ready: async () => ({ chain: await marketChain(), instruction: await issueTokens() }),
      accounts: {
        issuer: { cells: { otherWallet: 'NOT_ISSUER' } },
        config: {},
        mintBinding: {
          other: async () => at.mintBinding(await addressOf(BOTH)),
          cells: {
            other: 'BINDING_MISMATCH',
            bump: outside(
              /PrivilegeEscalation|Provided seeds do not result in a valid address/,
              'The binding signs for the mint with this bump. Only the program can write it.',
            ),
          },
        },
        mint: {
          other: async () => addressOf(BOTH),
          cells: {
            ...each('BINDING_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
            ...each(BY_TOKEN_2022, 'systemOwned', 'otherProgramOwned', 'zeros', 'missing'),
            shorter: notTested('Only Token-2022 can write it, and Token-2022 reads only its first bytes.'),
          },
        },
        destination: {
          other: async () => tokens('holder', BOTH),
          cells: { other: 'TOKEN_ACCOUNT_INVALID' },
        },
        pass: {
          other: async () => at.pass(await ruleAddress(), await addressOf('other holder')),
          cells: {
            other: 'WRONG_ADDRESS',
            ...each(
              'DESTINATION_PASS_MISSING',
              'otherWallet',
              'systemOwned',
              'otherProgramOwned',
              'posingToken',
              'missing',
            ),
          },
        },
        tokenProgram: {},
      },
      whole: { paused: 'PROTOCOL_PAUSED', twice: AGAIN },
    },
  },
  data: {
    amount: valuesOf(
      (amount: bigint) => issueTokens({ amount }),
      [
        [0n, 'AMOUNT_INVALID'],
        [1n, works('It is the smallest amount.')],
        [U64_MAX - 1_000n, works('The supply just fits.')],
        // 14 of Token-2022: Overflow.
        [U64_MAX - 999n, 14],
        [U64_MAX, 14],
      ],
    ),
  },
};
