import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { at, CIRCUIT_ID, readyChain, retireCircuit, setCircuit } from '../../support/governance.ts';
import { casesOf, flagAt, U64_MAX, valuesOf, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row } from '../row.ts';

const AGAIN = works('It writes the same values again.');

const retired = casesOf(retireCircuit);

/** The row of `retire-circuit`. */
export const row: Row<'retireCircuit'> = {
  scenes: {
    'of the active one': {
      ready: async () => ({ chain: await readyChain(), instruction: await retireCircuit() }),
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        config: {},
        circuit: {
          other: async (chain) => {
            const previousCircuit = await at.circuit(CIRCUIT_ID);
            await chain.confirm(setCircuit({ id: 'next', previousCircuit }));
            return at.circuit('next');
          },
          cells: { other: works('Governance may retire any circuit.') },
        },
      },
      whole: { paused: WHILE_PAUSED, twice: AGAIN },
    },
  },
  data: {
    graceSeconds: [
      ...valuesOf(
        (graceSeconds: bigint) => retireCircuit({ graceSeconds }),
        [
          [MAX_CIRCUIT_GRACE_SECONDS, works('It is the limit.')],
          [MAX_CIRCUIT_GRACE_SECONDS + 1n, 'GRACE_INVALID'],
          [U64_MAX, 'GRACE_INVALID'],
        ],
      ),
      retired('is 0 for an unsound circuit', { unsound: true }, works('An unsound circuit has no grace.')),
      retired('is 1 for an unsound circuit', { graceSeconds: 1n, unsound: true }, 'GRACE_INVALID'),
      retired(
        'is the largest for an unsound circuit',
        { graceSeconds: U64_MAX, unsound: true },
        'GRACE_INVALID',
      ),
    ],
    unsound: flagAt(9),
  },
};
