import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import {
  at,
  CIRCUIT,
  initializedChain,
  readyChain,
  retireCircuit,
  rotateCircuit,
  setCircuit,
} from '../../support/governance.ts';
import {
  ANY_VALUE,
  casesOf,
  flagAt,
  paddedNameAt,
  U64_MAX,
  valuesOf,
  WHILE_PAUSED,
  withChange,
} from '../cases.ts';
import { OTHER_ADDRESS } from '../columns.ts';
import { allowed, type DataCase, each, type Rows } from '../row.ts';
import { AUTHORITY, PAYER, SAME_VALUES } from './governance.ts';

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
  const bad = (what: string, change: (data: Uint8Array) => Uint8Array) =>
    withChange(`has ${name} ${what}`, 'VERIFYING_KEY_INVALID', change);
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

const retired = casesOf(retireCircuit);

export const CIRCUITS: Rows<'setCircuit' | 'retireCircuit'> = {
  setCircuit: {
    scenes: {
      first: {
        ready: async () => ({ chain: await initializedChain(), instruction: await setCircuit() }),
        accounts: {
          authority: AUTHORITY,
          payer: PAYER,
          config: {},
          circuit: { is: 'created' },
          previousCircuit: {
            is: 'left out',
            otherWallet: 'CIRCUIT_MISMATCH',
            same: { circuit: 'DUPLICATE_ACCOUNT' },
          },
          systemProgram: {},
        },
        paused: WHILE_PAUSED,
        // The second time there is a previous circuit, and this instruction does not name it.
        twice: 'CIRCUIT_MISMATCH',
      },
      next: {
        ready: async () => {
          const chain = await initializedChain();
          await chain.confirm(setCircuit());
          return { chain, instruction: await setCircuit({ id: 'next', previousCircuit: CIRCUIT }) };
        },
        accounts: {
          authority: AUTHORITY,
          payer: PAYER,
          config: {},
          circuit: { is: 'created', same: { previousCircuit: 'DUPLICATE_ACCOUNT' } },
          previousCircuit: {
            another: async (chain) => {
              await rotateCircuit(chain, { id: 'between' });
              return CIRCUIT;
            },
            ...each('CIRCUIT_MISMATCH', ...OTHER_ADDRESS),
            same: { circuit: 'DUPLICATE_ACCOUNT', systemProgram: 'CIRCUIT_MISMATCH' },
          },
          systemProgram: {},
        },
        paused: WHILE_PAUSED,
        twice: 'CIRCUIT_MISMATCH',
      },
    },
    data: {
      id: [
        ...paddedNameAt(1),
        withChange('derives another address', 'WRONG_ADDRESS', (data) => data.with(1, data[1]! + 1)),
        {
          what: 'is the id of an existing circuit',
          expected: 'ALREADY_INITIALIZED',
          prepare: async (chain) => {
            await chain.confirm(setCircuit());
            await rotateCircuit(chain);
          },
          instructions: async () => [await setCircuit({ previousCircuit: await at.circuit('next') })],
        },
      ],
      artifactsDigest: ANY_VALUE,
      graceSeconds: valuesOf(setCircuit, 'graceSeconds', [
        [0n, allowed('The previous circuit retires at once.')],
        [MAX_CIRCUIT_GRACE_SECONDS, allowed('It is the limit.')],
        [MAX_CIRCUIT_GRACE_SECONDS + 1n, 'GRACE_INVALID'],
        [U64_MAX, 'GRACE_INVALID'],
      ]),
      verifyingKey: badKeys,
    },
  },

  retireCircuit: {
    scenes: {
      'of the active one': {
        ready: async () => ({ chain: await readyChain(), instruction: await retireCircuit() }),
        accounts: {
          authority: AUTHORITY,
          config: {},
          circuit: { another: rotateCircuit, sameKind: allowed('Governance may retire any circuit.') },
        },
        paused: WHILE_PAUSED,
        twice: SAME_VALUES,
      },
    },
    data: {
      graceSeconds: [
        ...valuesOf(retireCircuit, 'graceSeconds', [
          [MAX_CIRCUIT_GRACE_SECONDS, allowed('It is the limit.')],
          [MAX_CIRCUIT_GRACE_SECONDS + 1n, 'GRACE_INVALID'],
          [U64_MAX, 'GRACE_INVALID'],
        ]),
        retired(
          'is 0 for an unsound circuit',
          { unsound: true },
          allowed('An unsound circuit has no grace.'),
        ),
        retired('is 1 for an unsound circuit', { graceSeconds: 1n, unsound: true }, 'GRACE_INVALID'),
        retired(
          'is the largest for an unsound circuit',
          { graceSeconds: U64_MAX, unsound: true },
          'GRACE_INVALID',
        ),
      ],
      unsound: flagAt(9),
    },
  },
};
