import { deployedChain, initialize } from '../../support/governance.ts';
import { ANY_VALUE, ANYONE_PAYS } from '../cases.ts';
import { notTested, works } from '../expectation.ts';
import type { Row } from '../row.ts';

/** The row of `initialize`. */
export const row: Row<'initialize'> = {
  scenes: {
    once: {
      ready: async () => ({ chain: await deployedChain(), instruction: await initialize() }),
      accounts: {
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        upgradeAuthority: { cells: { otherWallet: 'NOT_UPGRADE_AUTHORITY' } },
        authority: { cells: { otherWallet: works('The upgrade authority names it, and it signs.') } },
        config: { is: 'created' },
        treasury: { is: 'created' },
        programData: {},
        systemProgram: {},
      },
      whole: {
        paused: notTested('No protocol exists yet that could be paused.'),
        twice: 'ALREADY_INITIALIZED',
      },
    },
  },
  data: { genesisHash: ANY_VALUE },
};
