import { MAX_CIRCUIT_GRACE_SECONDS, MAX_PASS_FEE } from '@service/protocol';
import { SOL } from '../../support/chain.ts';
import {
  at,
  CIRCUIT,
  deployedChain,
  initialize,
  initializedChain,
  readyChain,
  retireCircuit,
  rotateCircuit,
  setCircuit,
  setGovernance,
  setVerifier,
  TREASURY,
  verifierAt,
  withdrawFees,
} from '../../support/governance.ts';
import {
  ANY_VALUE,
  ANYONE_PAYS,
  casesOf,
  flagAt,
  paddedNameAt,
  prefixedNameAt,
  U64_MAX,
  valuesOf,
  WHILE_PAUSED,
  withChange,
} from '../cases.ts';
import { OTHER_ADDRESS } from '../columns.ts';
import { allowed, type DataCase, each, notTested, type Rows } from '../row.ts';

const SAME_VALUES = allowed('It writes the same values again.');
const AUTHORITY = { otherWallet: 'NOT_AUTHORITY' } as const;
const PAYER = { otherWallet: ANYONE_PAYS };

const verifierAccounts = {
  authority: AUTHORITY,
  config: {},
  verifierAuthority: { otherWallet: 'WRONG_ADDRESS' },
  systemProgram: {},
} as const;

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

export const GOVERNANCE: Rows<
  'initialize' | 'setGovernance' | 'setVerifier' | 'setCircuit' | 'retireCircuit' | 'withdrawFees'
> = {
  initialize: {
    scenes: {
      once: {
        ready: async () => ({ chain: await deployedChain(), instruction: await initialize() }),
        accounts: {
          payer: PAYER,
          upgradeAuthority: { otherWallet: 'NOT_UPGRADE_AUTHORITY' },
          authority: { otherWallet: allowed('The upgrade authority names it, and it signs.') },
          config: { is: 'created' },
          treasury: { is: 'created' },
          programData: {},
          systemProgram: {},
        },
        paused: notTested('No protocol exists yet that could be paused.'),
        twice: 'ALREADY_INITIALIZED',
      },
    },
    data: { genesisHash: ANY_VALUE },
  },

  setGovernance: {
    scenes: {
      'to the next': {
        ready: async () => ({
          chain: await initializedChain(),
          instruction: await setGovernance({ nextAuthority: 'next governance' }),
        }),
        accounts: {
          authority: AUTHORITY,
          nextAuthority: { otherWallet: allowed('The authority names the next one, which signs.') },
          config: {},
          programData: {},
        },
        paused: WHILE_PAUSED,
        twice: 'NOT_AUTHORITY',
      },
    },
    data: {
      paused: flagAt(1),
      passFee: [
        ...valuesOf(setGovernance, 'passFee', [
          [null, allowed('It unsets the fee.')],
          [0n, allowed('A prove may be free.')],
          [MAX_PASS_FEE, allowed('It is the cap.')],
          [MAX_PASS_FEE + 1n, 'PASS_FEE_TOO_HIGH'],
          [U64_MAX, 'PASS_FEE_TOO_HIGH'],
        ]),
        ...flagAt(2),
        withChange('is none and has a number', 'INVALID_INSTRUCTION_DATA', (data) => data.with(2, 0)),
      ],
    },
  },

  setVerifier: {
    scenes: {
      'of a new one': {
        ready: async () => ({ chain: await initializedChain(), instruction: await setVerifier() }),
        accounts: { ...verifierAccounts, payer: PAYER, verifier: { is: 'made if missing' } },
        paused: WHILE_PAUSED,
        twice: SAME_VALUES,
      },
      'of an existing one': {
        ready: async () => {
          const chain = await initializedChain();
          await chain.confirm(setVerifier());
          return { chain, instruction: await setVerifier({ active: false }) };
        },
        accounts: {
          ...verifierAccounts,
          payer: { otherWallet: allowed('It pays nothing here.') },
          verifier: {
            another: async (chain) => {
              await chain.confirm(setVerifier({ verifier: 'second verifier' }));
              return verifierAt('second verifier');
            },
            is: 'changed',
            sameKind: 'WRONG_ADDRESS',
          },
        },
        paused: WHILE_PAUSED,
        twice: SAME_VALUES,
      },
    },
    data: { active: flagAt(1), name: prefixedNameAt(2) },
  },

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

  withdrawFees: {
    scenes: {
      'of half': {
        ready: async () => {
          const chain = await readyChain();
          chain.fund(TREASURY, 2n * SOL);
          return { chain, instruction: await withdrawFees() };
        },
        accounts: {
          authority: AUTHORITY,
          config: {},
          treasury: {},
          recipient: {
            otherWallet: notTested('The instruction of this scene pays an unrelated wallet already.'),
            missing: allowed('It need not exist yet.'),
            same: {
              ...each(allowed('The signer chooses where the lamports go.'), 'authority', 'config'),
              treasury: 'DUPLICATE_ACCOUNT',
            },
          },
        },
        paused: WHILE_PAUSED,
        twice: allowed('There are fees for both.'),
      },
    },
    data: {
      lamports: valuesOf(withdrawFees, 'lamports', [
        [0n, 'AMOUNT_INVALID'],
        [1n, allowed('It is the smallest amount.')],
        [2n * SOL, allowed('It is everything above rent.')],
        [2n * SOL + 1n, 'WITHDRAWAL_TOO_HIGH'],
        [U64_MAX, 'WITHDRAWAL_TOO_HIGH'],
      ]),
    },
  },
};
