import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { at, CIRCUIT_ID, readyChain, retireCircuit, setCircuit } from '../../support/governance.ts';
import { expectDone } from '../../support/outcome.ts';
import { flagAt, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { DataCase, Row } from '../row.ts';

const AGAIN = works('It says the same again.');

const withGrace = (graceSeconds: bigint, unsound: boolean, expected: DataCase['expected']): DataCase => ({
  what: `is ${graceSeconds}${unsound ? ' of an unsound one' : ''}`,
  expected,
  instructions: async () => [await retireCircuit({ graceSeconds, unsound })],
});

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
            expectDone(await chain.send(setCircuit({ id: 'next', previousCircuit })));
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
      withGrace(MAX_CIRCUIT_GRACE_SECONDS, false, works('It is the limit.')),
      withGrace(MAX_CIRCUIT_GRACE_SECONDS + 1n, false, 'GRACE_INVALID'),
      withGrace(U64_MAX, false, 'GRACE_INVALID'),
      withGrace(0n, true, works('An unsound circuit has no grace.')),
      withGrace(1n, true, 'GRACE_INVALID'),
      withGrace(U64_MAX, true, 'GRACE_INVALID'),
    ],
    unsound: flagAt(9),
  },
};
