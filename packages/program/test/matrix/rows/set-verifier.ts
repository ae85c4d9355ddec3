import { addressOf } from '../../support/chain.ts';
import { at, initializedChain, setVerifier } from '../../support/governance.ts';
import { expectDone } from '../../support/outcome.ts';
import { flagAt, prefixedNameAt, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row } from '../row.ts';

const AGAIN = works('It says the same again.');
const ANYONE_PAYS = works('Anyone may pay.');

/** The row of `set-verifier`. */
export const row: Row<'setVerifier'> = {
  scenes: {
    'of a new one': {
      ready: async () => ({ chain: await initializedChain(), instruction: await setVerifier() }),
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        config: {},
        verifierAuthority: { cells: { otherWallet: 'WRONG_ADDRESS' } },
        verifier: { is: 'made if missing' },
        systemProgram: {},
      },
      whole: { paused: WHILE_PAUSED, twice: AGAIN },
    },
    'of one that is there': {
      ready: async () => {
        const chain = await initializedChain();
        expectDone(await chain.send(setVerifier()));
        return { chain, instruction: await setVerifier({ active: false }) };
      },
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        payer: { cells: { otherWallet: works('It pays nothing here.') } },
        config: {},
        verifierAuthority: { cells: { otherWallet: 'WRONG_ADDRESS' } },
        verifier: {
          other: async (chain) => {
            expectDone(await chain.send(setVerifier({ verifier: 'second verifier' })));
            return at.verifier(await addressOf('second verifier'));
          },
          is: 'changed',
          cells: { other: 'WRONG_ADDRESS' },
        },
        systemProgram: {},
      },
      whole: { paused: WHILE_PAUSED, twice: AGAIN },
    },
  },
  data: { active: flagAt(1), name: prefixedNameAt(2) },
};
