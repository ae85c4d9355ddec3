import { issueTokens } from '../../support/bindings.ts';
import { addressOf } from '../../support/chain.ts';
import { at } from '../../support/governance.ts';
import { ruleAddress } from '../../support/rule-sets.ts';
import { BOTH, marketChain, tokens } from '../../support/transfers.ts';
import { U64_MAX } from '../cases.ts';
import { each, nothing, outside, works } from '../expectation.ts';
import type { DataCase, Row } from '../row.ts';

const AGAIN = works('The issuer may issue as often as it likes.');

const BY_TOKEN_2022 = outside(
  /IncorrectProgramId|InvalidAccountData|UninitializedAccount/,
  'The binding names the mint; what is in it is Token-2022’s to check when it mints.',
);

const amount = (value: bigint, expected: DataCase['expected']): DataCase => ({
  what: `is ${value}`,
  expected,
  instructions: async () => [await issueTokens({ amount: value })],
});

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
              'It is read: the binding signs with it for the mint. Nobody else can write it.',
            ),
          },
        },
        mint: {
          other: async () => addressOf(BOTH),
          cells: {
            ...each('BINDING_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
            systemOwned: BY_TOKEN_2022,
            otherProgramOwned: BY_TOKEN_2022,
            shorter: nothing('Token-2022 wrote it, and only it can; what it needs of it is at its front.'),
            zeros: BY_TOKEN_2022,
            missing: BY_TOKEN_2022,
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
    amount: [
      amount(0n, 'AMOUNT_INVALID'),
      amount(1n, works('It is the least.')),
      amount(U64_MAX - 1_000n, works('The supply just fits.')),
      // 14 of Token-2022: Overflow.
      amount(U64_MAX - 999n, 14),
      amount(U64_MAX, 14),
    ],
  },
};
