import { addressOf } from '../../support/chain.ts';
import { at, initializedChain, setVerifier } from '../../support/governance.ts';
import { ANYONE_PAYS, flagAt, prefixedNameAt, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row } from '../row.ts';

const AGAIN = works('It writes the same values again.');

const accounts = {
  authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
  config: {},
  verifierAuthority: { cells: { otherWallet: 'WRONG_ADDRESS' } },
  systemProgram: {},
} as const;

/** The row of `set-verifier`. */
export const row: Row<'setVerifier'> = {
  scenes: {
    'of a new one': {
      ready: async () => ({ chain: await initializedChain(), instruction: await setVerifier() }),
      accounts: {
        ...accounts,
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        verifier: { is: 'made if missing' },
      },
      whole: { paused: WHILE_PAUSED, twice: AGAIN },
    },
    'of an existing one': {
      ready: async () => {
        const chain = await initializedChain();
        await chain.confirm(setVerifier());
        return { chain, instruction: await setVerifier({ active: false }) };
      },
      accounts: {
        ...accounts,
        payer: { cells: { otherWallet: works('It pays nothing here.') } },
        verifier: {
          other: async (chain) => {
            await chain.confirm(setVerifier({ verifier: 'second verifier' }));
            return at.verifier(await addressOf('second verifier'));
          },
          is: 'changed',
          cells: { other: 'WRONG_ADDRESS' },
        },
      },
      whole: { paused: WHILE_PAUSED, twice: AGAIN },
    },
  },
  data: { active: flagAt(1), name: prefixedNameAt(2) },
};
