import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { at, CIRCUIT_ID, initializedChain, setCircuit } from '../../support/governance.ts';
import { ANY_VALUE, ANYONE_PAYS, paddedNameAt, U64_MAX, valuesOf, WHILE_PAUSED } from '../cases.ts';
import { each, works } from '../expectation.ts';
import type { DataCase, Row } from '../row.ts';

/** Where the six points of the key are in the data, and how many bytes each has. */
const KEY_AT = 1 + 32 + 32 + 8;
const POINTS = {
  alpha: [0, 64],
  beta: [64, 128],
  gamma: [192, 128],
  delta: [320, 128],
  ic0: [448, 64],
  ic1: [512, 64],
} as const;

/** x = 1 on the twist with one of its two y: on the curve, but not of the group of order r. */
const OUTSIDE_GROUP = Buffer.from(
  '0000000000000000000000000000000000000000000000000000000000000000' +
    '0000000000000000000000000000000000000000000000000000000000000001' +
    '0d1271953ed9ea0836846e70a1934187998c7f790cb4d7511b7f8da82de048a4' +
    '2869111d5381f072f8e2728fdb825a51aadd70e52c9830e9ab4b871c0531f1bb',
  'hex',
);

const badKeys: readonly DataCase[] = Object.entries(POINTS).flatMap(([name, [start, bytes]]) => {
  const at = KEY_AT + start;
  const bad = (what: string, change: (data: Uint8Array) => Uint8Array): DataCase => ({
    what: `has ${name} ${what}`,
    expected: 'VERIFYING_KEY_INVALID',
    data: change,
  });
  const outsideGroup = bad('outside the group', (data) => {
    data.set(OUTSIDE_GROUP, at);
    return data;
  });
  return [
    bad('off the curve', (data) => data.with(at + 63, data[at + 63]! ^ 1)),
    bad('with a coordinate above the modulus', (data) => data.fill(0xff, at, at + 32)),
    bad('at infinity', (data) => data.fill(0, at, at + bytes)),
    ...(bytes === 128 ? [outsideGroup] : []),
  ];
});

/** The row of `set-circuit`. */
export const row: Row<'setCircuit'> = {
  scenes: {
    first: {
      ready: async () => ({ chain: await initializedChain(), instruction: await setCircuit() }),
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        config: {},
        circuit: { is: 'created' },
        previousCircuit: {
          is: 'left out',
          cells: { otherWallet: 'CIRCUIT_MISMATCH' },
          same: { circuit: 'DUPLICATE_ACCOUNT' },
        },
        systemProgram: {},
      },
      whole: {
        paused: WHILE_PAUSED,
        // The second time there is a previous circuit, and this instruction does not name it.
        twice: 'CIRCUIT_MISMATCH',
      },
    },
    next: {
      ready: async () => {
        const chain = await initializedChain();
        await chain.confirm(setCircuit());
        const previousCircuit = await at.circuit(CIRCUIT_ID);
        return { chain, instruction: await setCircuit({ id: 'next', previousCircuit }) };
      },
      accounts: {
        authority: { cells: { otherWallet: 'NOT_AUTHORITY' } },
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        config: {},
        circuit: { is: 'created', same: { previousCircuit: 'DUPLICATE_ACCOUNT' } },
        previousCircuit: {
          other: async (chain) => {
            const previousCircuit = await at.circuit(CIRCUIT_ID);
            await chain.confirm(setCircuit({ id: 'between', previousCircuit }));
            return previousCircuit;
          },
          cells: {
            ...each('CIRCUIT_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
          },
          same: { circuit: 'DUPLICATE_ACCOUNT', systemProgram: 'CIRCUIT_MISMATCH' },
        },
        systemProgram: {},
      },
      whole: { paused: WHILE_PAUSED, twice: 'CIRCUIT_MISMATCH' },
    },
  },
  data: {
    id: [
      ...paddedNameAt(1),
      {
        what: 'derives another address',
        expected: 'WRONG_ADDRESS',
        data: (data) => data.with(1, data[1]! + 1),
      },
      {
        what: 'is the id of an existing circuit',
        expected: 'ALREADY_INITIALIZED',
        prepare: async (chain) => {
          await chain.confirm(setCircuit());
          const previousCircuit = await at.circuit(CIRCUIT_ID);
          await chain.confirm(setCircuit({ id: 'next', previousCircuit }));
        },
        instructions: async () => [await setCircuit({ previousCircuit: await at.circuit('next') })],
      },
    ],
    artifactsDigest: ANY_VALUE,
    graceSeconds: valuesOf(
      (graceSeconds: bigint) => setCircuit({ graceSeconds }),
      [
        [0n, works('The previous circuit retires at once.')],
        [MAX_CIRCUIT_GRACE_SECONDS, works('It is the limit.')],
        [MAX_CIRCUIT_GRACE_SECONDS + 1n, 'GRACE_INVALID'],
        [U64_MAX, 'GRACE_INVALID'],
      ],
    ),
    verifyingKey: badKeys,
  },
};
