/** The columns of the matrix: what is wrong with one account, as changes of the chain and of the instruction. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { expect } from 'vitest';
import { type Account, addressOf, type Chain, PROGRAM } from '../support/chain.ts';
import { at, setVerifier } from '../support/governance.ts';
import { withAccount, withoutSignature, withReadonly } from '../support/instruction.ts';
import { addPass, closePass } from '../support/passes.ts';
import { ruleAddress } from '../support/rule-sets.ts';
import type { AttemptHooks } from './expectation.ts';
import { isRecord, type Kind, TYPES } from './kinds.ts';
import { type SampleAccount, sampleAccounts } from './sample-accounts.ts';

/** What a cell changes: the account at one place of an instruction. */
export interface Place {
  readonly chain: Chain;
  readonly instruction: Instruction;
  readonly index: number;
  readonly address: Address;
  readonly kind: Kind;
  /** See AccountRow. */
  readonly other: ((chain: Chain) => Promise<Address>) | undefined;
}

/** One way to bring a refusal about. */
export interface Attempt extends AttemptHooks {
  readonly what: string;
  readonly instruction: Instruction;
}

type Column = (place: Place) => Promise<readonly Attempt[]>;

/** Returns an attempt that overwrites the account. */
function rewritten(place: Place, what: string, change: (account: Account) => Partial<Account>): Attempt {
  const { chain, address, instruction } = place;
  const prepare = () => {
    const account = chain.account(address) ?? { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() };
    chain.write(address, { ...account, ...change(account) });
  };
  return { what, prepare, instruction };
}

/** Puts another address into the place. */
function replaced({ instruction, index }: Place, what: string, address: Address): Attempt {
  return { what, instruction: withAccount(instruction, index, { address }) };
}

/** A byte of the account's data as another value. */
function patched(place: Place, offset: number, value: number): Attempt {
  return rewritten(place, `byte ${offset} is ${value}`, ({ data }) => ({ data: data.with(offset, value) }));
}

/** Accounts of other kinds, real ones: at the very address where nothing is, else in the place of the account. */
async function posing(place: Place, owner: SampleAccount['owner']): Promise<Attempt[]> {
  const { chain, kind, address, instruction, index } = place;
  const others = (await sampleAccounts()).filter((sample) => sample.owner === owner && sample.kind !== kind);
  return Promise.all(
    others.map(async (sample): Promise<Attempt> => {
      if (!chain.account(address) && kind !== 'program') {
        const prepare = () => chain.write(address, sample.account);
        return { what: `a ${sample.kind} at its address`, prepare, instruction };
      }
      const copy = await addressOf(`copy of ${sample.kind}`);
      return {
        what: `a ${sample.kind}`,
        prepare: () => chain.write(copy, sample.account),
        instruction: withAccount(instruction, index, { address: copy }),
      };
    }),
  );
}

/** Closes the pass of the place: its verifier is not active for that time. The name of its wallet. */
async function close({ chain, address }: Place): Promise<string> {
  for (const holder of ['holder', 'other holder']) {
    if ((await at.pass(await ruleAddress(), await addressOf(holder))) !== address) continue;
    for (const instruction of [
      await setVerifier({ active: false }),
      await closePass({ holder }),
      await setVerifier({ active: true }),
    ]) {
      await chain.confirm(instruction);
    }
    return holder;
  }
  throw new Error('The pass belongs to neither holder.');
}

const isMade = ({ chain, address, kind }: Place) =>
  !chain.account(address) && (isRecord(kind) || kind === 'extraAccountMetaList');

/** The account that was made holds its rent, or what was there before if that is more. */
function expectRent({ chain, address }: Place, before: bigint): void {
  const { owner, lamports, data } = chain.account(address)!;
  const rent = chain.rentOf(data.length);
  expect({ owner, lamports }).toEqual({ owner: PROGRAM, lamports: before > rent ? before : rent });
}

/** Where the version and the bump are in an account of the program, and where in the second entry of the list. */
const HEADER = { type: 0, version: 1, bump: 2 };
const LIST_ENTRY_BYTES = 99;
/** Bytes of ProgramData before the program's code, which is not read. */
const PROGRAM_DATA_HEADER = 45;

const versionAt = ({ chain, kind, address }: Place) =>
  kind === 'extraAccountMetaList' ? chain.data(address).length - LIST_ENTRY_BYTES : HEADER.version;
const bumpAt = ({ chain, kind, address }: Place) =>
  kind === 'extraAccountMetaList' ? chain.data(address).length - LIST_ENTRY_BYTES + 1 : HEADER.bump;
const PROGRAM_DATA_VARIANT = 3;
const typeOf = (kind: Kind) =>
  (({ ...TYPES, programData: PROGRAM_DATA_VARIANT }) as Partial<Record<Kind, number>>)[kind];
const otherTypes = (kind: Kind) =>
  [0, ...Object.values(TYPES), 9, 255].filter((type) => type !== typeOf(kind));

/** The columns by name, in their order in the matrix. */
export const REFUSALS = {
  /** It must sign and does not. */
  unsigned: async ({ instruction, index }) => [
    { what: 'not signed', instruction: withoutSignature(instruction, index) },
  ],
  /** It must be writable and is not. */
  readOnly: async ({ instruction, index }) => [
    { what: 'read only', instruction: withReadonly(instruction, index) },
  ],
  /** Another wallet, which signs where the account must. */
  otherWallet: async (place) => [replaced(place, 'an unrelated wallet', await addressOf('unrelated wallet'))],
  /** A good account of the same kind, with other seeds or of somebody else. */
  other: async (place) => {
    const { chain, instruction, index, other } = place;
    const address = await other!(chain);
    // It may have been made just now: with something to prepare, the state to compare with is read after.
    const prepare = () => undefined;
    return [
      { what: `another ${place.kind}`, prepare, instruction: withAccount(instruction, index, { address }) },
    ];
  },
  /** At its address, with the right content, but not of its program. */
  systemOwned: async (place) => [
    rewritten(place, 'of the system program', () => ({ owner: SYSTEM_PROGRAM })),
  ],
  otherProgramOwned: async (place) => {
    const owner = await addressOf('other program');
    const lamports = place.chain.rentOf(0);
    return [
      rewritten(place, 'of another program', (account) => ({
        lamports: account.lamports || lamports,
        owner,
      })),
    ];
  },
  /** At its address, of its program, with another type, version or size. */
  typed: async (place) => otherTypes(place.kind).map((type) => patched(place, HEADER.type, type)),
  version: async (place) => [0, 2, 255].map((version) => patched(place, versionAt(place), version)),
  shorter: async (place) => {
    const { length } = place.chain.data(place.address);
    const least = place.kind === 'programData' ? PROGRAM_DATA_HEADER : length;
    const lengths = [0, 1, 3, least - 1].filter((bytes) => bytes < length);
    return [...new Set(lengths)].map((bytes) =>
      rewritten(place, `cut to ${bytes} bytes`, ({ data }) => ({ data: data.slice(0, bytes) })),
    );
  },
  longer: async (place) =>
    [1, 37].map((bytes) =>
      rewritten(place, `${bytes} bytes longer`, ({ data }) => ({
        data: Uint8Array.of(...data, ...new Uint8Array(bytes)),
      })),
    ),
  /** A real account of the program that is of another type. */
  posing: (place) => posing(place, 'program'),
  /** A real account of Token-2022 that is of another type. */
  posingToken: (place) => posing(place, 'token'),
  /** Of its program and never written: all zeros. */
  zeros: async (place) => [
    rewritten(place, 'all zeros', ({ data }) => ({ data: new Uint8Array(data.length) })),
  ],
  /** The account does not exist. */
  missing: async (place) => [
    rewritten(place, 'not there', () => ({ lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() })),
  ],
  /** The pass was closed by `close-pass`. */
  closed: async (place) => [{ what: 'closed', prepare: () => close(place), instruction: place.instruction }],
  /** The pass was closed and proved again. */
  reopened: async (place) => {
    const prepare = async () => addPass(place.chain, { wallet: await close(place) });
    return [{ what: 'closed and proved again', prepare, instruction: place.instruction }];
  },
  /** The stored bump is another. */
  bump: async (place) => {
    const bump = place.chain.data(place.address)[bumpAt(place)]!;
    return [bump ^ 1, 0, 255 - bump].map((value) => patched(place, bumpAt(place), value));
  },
  /** Somebody has sent lamports to its address. */
  funded: async (place) =>
    [1n, 890_880n, 10_000_000_000n].map((more) => ({
      ...rewritten(place, `${more} lamports sent there`, ({ lamports }) => ({ lamports: lamports + more })),
      check: isMade(place) ? () => expectRent(place, more) : undefined,
    })),
} satisfies Record<string, Column>;

/** A column of the matrix. */
export type Refusal = keyof typeof REFUSALS;

/** The columns in order. */
export const COLUMNS = Object.keys(REFUSALS) as readonly Refusal[];
