import { MAX_PASS_FEE } from '@service/protocol';
import { initializedChain, setGovernance } from '../../support/governance.ts';
import { flagAt, U64_MAX, valuesOf, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row } from '../row.ts';

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
      ...valuesOf(
        (passFee: bigint | null) => setGovernance({ passFee }),
        [
          [null, works('It unsets the fee.')],
          [0n, works('A prove may be free.')],
          [MAX_PASS_FEE, works('It is the cap.')],
          [MAX_PASS_FEE + 1n, 'PASS_FEE_TOO_HIGH'],
          [U64_MAX, 'PASS_FEE_TOO_HIGH'],
        ],
      ),
      ...flagAt(2),
      {
        what: 'is none and has a number',
        expected: 'INVALID_INSTRUCTION_DATA',
        data: (data) => data.with(2, 0),
      },
    ],
  },
};
