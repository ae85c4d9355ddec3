import { MAX_PASS_FEE } from '@service/protocol';
import type { Instruction } from '@solana/kit';
import { SOL } from '../../support/chain.ts';
import {
  acceptAuthority,
  deployedChain,
  endPasses,
  initialize,
  initializedChain,
  nominateAuthority,
  pause,
  readyChain,
  setGuardian,
  setPassFee,
  setVerifier,
  TREASURY,
  unpause,
  verifierAt,
  withdrawFees,
} from '../../support/governance.ts';
import {
  ANY_VALUE,
  ANYONE_PAYS,
  flagAt,
  prefixedNameAt,
  U64_MAX,
  valuesOf,
  WHILE_PAUSED,
  withChange,
} from '../cases.ts';
import { allowed, each, notTested, type Rows } from '../row.ts';

export const SAME_VALUES = allowed('It writes the same values again.');
export const AUTHORITY = { otherWallet: 'NOT_AUTHORITY' } as const;
export const PAYER = { otherWallet: ANYONE_PAYS };

const verifierAccounts = {
  authority: AUTHORITY,
  config: {},
  verifierAuthority: { otherWallet: 'WRONG_ADDRESS' },
  systemProgram: {},
} as const;

/** The row of an instruction that changes one field of Config and has no data. */
const change = (make: () => Promise<Instruction>) => ({
  scenes: {
    once: {
      ready: async () => ({ chain: await initializedChain(), instruction: await make() }),
      accounts: { authority: AUTHORITY, config: {} },
      paused: WHILE_PAUSED,
      twice: SAME_VALUES,
    },
  },
  data: {},
});

/** Returns cases of an option that is set, at an offset of the data. */
const optionAt = (offset: number) => [
  ...flagAt(offset),
  withChange('is none and has a value', 'INVALID_INSTRUCTION_DATA', (data) => data.with(offset, 0)),
];

export const GOVERNANCE: Rows<
  | 'initialize'
  | 'pause'
  | 'unpause'
  | 'setPassFee'
  | 'nominateAuthority'
  | 'acceptAuthority'
  | 'setGuardian'
  | 'endPasses'
  | 'setVerifier'
  | 'withdrawFees'
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

  pause: {
    scenes: {
      once: {
        ...change(pause).scenes.once,
        ready: async () => {
          const chain = await initializedChain();
          await chain.confirm(setGuardian());
          return { chain, instruction: await pause() };
        },
      },
    },
    data: {},
  },
  unpause: {
    scenes: {
      'of a pause': {
        ...change(unpause).scenes.once,
        ready: async () => {
          const chain = await initializedChain();
          await chain.confirm(pause());
          return { chain, instruction: await unpause() };
        },
      },
    },
    data: {},
  },
  setPassFee: {
    ...change(setPassFee),
    data: {
      passFee: [
        ...valuesOf(setPassFee, 'passFee', [
          [null, allowed('It unsets the fee.')],
          [0n, allowed('A prove may be free.')],
          [MAX_PASS_FEE, allowed('It is the cap.')],
          [MAX_PASS_FEE + 1n, 'PASS_FEE_TOO_HIGH'],
          [U64_MAX, 'PASS_FEE_TOO_HIGH'],
        ]),
        ...optionAt(1),
      ],
    },
  },
  nominateAuthority: { ...change(nominateAuthority), data: { nominee: optionAt(1) } },
  acceptAuthority: {
    scenes: {
      'of a nomination': {
        ready: async () => {
          const chain = await initializedChain();
          await chain.confirm(nominateAuthority());
          return { chain, instruction: await acceptAuthority() };
        },
        accounts: { nominee: { otherWallet: 'NOT_NOMINEE' }, config: {} },
        paused: WHILE_PAUSED,
        twice: 'NOT_NOMINEE',
      },
    },
    data: {},
  },
  setGuardian: { ...change(setGuardian), data: { guardian: optionAt(1) } },
  endPasses: change(endPasses),

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
