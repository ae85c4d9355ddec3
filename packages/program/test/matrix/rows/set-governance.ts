import { MAX_PASS_FEE } from '@service/protocol';
import { initializedChain, setGovernance } from '../../support/governance.ts';
import { flagAt, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { DataCase, Row } from '../row.ts';

const withFee = (passFee: bigint | null, expected: DataCase['expected']): DataCase => ({
  what: `is ${passFee ?? 'none'}`,
  expected,
  instructions: async () => [await setGovernance({ passFee })],
});

/** The row of `set-governance`. */
export const row: Row<'setGovernance'> = {
  scenes: {
    'to the next': {
      ready: async () => ({
        chain: await initializedChain(),
        instruction: await setGovernance({ nextAuthority: 'next governance' }),
      }),
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        nextAuthority: {
          cells: { otherWallet: works('The authority names the next one, which signs.') },
        },
        config: {},
        programData: {},
      },
      whole: { paused: WHILE_PAUSED, twice: 'NOT_AUTHORITY' },
    },
  },
  data: {
    paused: flagAt(1),
    passFee: [
      withFee(null, works('None unsets it.')),
      withFee(0n, works('A prove may be free.')),
      withFee(MAX_PASS_FEE, works('It is the cap.')),
      withFee(MAX_PASS_FEE + 1n, 'PASS_FEE_TOO_HIGH'),
      withFee(U64_MAX, 'PASS_FEE_TOO_HIGH'),
      ...flagAt(2),
      {
        what: 'is none and has a number',
        expected: 'INVALID_INSTRUCTION_DATA',
        data: (data) => data.with(2, 0),
      },
    ],
  },
};
