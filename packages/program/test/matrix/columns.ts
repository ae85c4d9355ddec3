/** The columns of the matrix: what is wrong with one account, as changes of the chain and of the instruction. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { getPassDecoder } from '@service/protocol/generated';
import {
  type AccountRole,
  type Address,
  downgradeRoleToNonSigner,
  downgradeRoleToReadonly,
  type Instruction,
} from '@solana/kit';
import { expect } from 'vitest';
import { type Account, addressOf, type Chain, HOUR, PROGRAM } from '../support/chain.ts';
import { setVerifier } from '../support/governance.ts';
import { withAccount } from '../support/instruction.ts';
import { closePass, prove } from '../support/passes.ts';
import { passAt } from '../support/rule-sets.ts';
import { isList, isRecord, type Kind, LIST_ENTRY_BYTES, TYPES } from './kinds.ts';
import { type SampleAccount, sampleAccounts } from './sample-accounts.ts';

/** The account that a column changes, at one place of an instruction. */
interface Place {
  readonly chain: Chain;
  readonly instruction: Instruction;
  readonly index: number;
  readonly address: Address;
  readonly kind: Kind;
  /** See AccountRow. */
  readonly another: ((chain: Chain) => Promise<Address>) | undefined;
}

/** One way to make the account wrong. */
export interface Attempt {
  /** Part of the message when the test fails. */
  readonly what: string;
  readonly instruction: Instruction;
  /** Changes the chain before the instruction. The stage undoes the change. */
  readonly prepare?: () => unknown;
  readonly check?: (() => void) | undefined;
}

/** Returns an attempt with another role of the account. */
function withRole({ instruction, index }: Place, change: (role: AccountRole) => AccountRole): Attempt {
  const role = change(instruction.accounts![index]!.role);
  return { what: `role ${role}`, instruction: withAccount(instruction, index, { role }) };
}

/** Returns an attempt that overwrites the account. */
function rewritten(place: Place, what: string, change: (account: Account) => Partial<Account>): Attempt {
  const { chain, address, instruction } = place;
  const prepare = () => {
    const account = chain.account(address) ?? { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() };
    chain.write(address, { ...account, ...change(account) });
  };
  return { what, prepare, instruction };
}

/** Returns an attempt that sets one byte of the account's data. */
function patched(place: Place, offset: number, value: number): Attempt {
  return rewritten(place, `byte ${offset} is ${value}`, ({ data }) => ({ data: data.with(offset, value) }));
}

/** Returns attempts with real accounts of other kinds, at the address if no account exists there, else instead of it. */
async function otherKinds(place: Place, owner: SampleAccount['owner']): Promise<Attempt[]> {
  const { chain, kind, address, instruction, index } = place;
  const others = (await sampleAccounts()).filter((sample) => sample.owner === owner && sample.kind !== kind);
  const isFree = !chain.account(address) && kind !== 'program';
  return Promise.all(
    others.map(async (sample): Promise<Attempt> => {
      const at = isFree ? address : await addressOf(`copy of ${sample.kind}`);
      return {
        what: `a ${sample.kind}${isFree ? ' at its address' : ''}`,
        prepare: () => chain.write(at, sample.account),
        instruction: withAccount(instruction, index, { address: at }),
      };
    }),
  );
}

/** Closes the pass of the place an hour after its proof, while its verifier is inactive. Returns the name of its wallet. */
async function close({ chain, address }: Place): Promise<string> {
  for (const holder of ['holder', 'other holder']) {
    const { rule, issuedAt } = getPassDecoder().decode(chain.data(address));
    if ((await passAt(holder, rule)) !== address) continue;
    if (chain.time < issuedAt + HOUR) chain.setTime(issuedAt + HOUR);
    await chain.confirm(setVerifier({ active: false }));
    await chain.confirm(closePass({ holder, rule }));
    await chain.confirm(setVerifier({ active: true }));
    return holder;
  }
  throw new Error('The pass belongs to neither holder.');
}

/** Checks that the program created the account with its rent, or with the lamports before if these are more. */
function expectRent({ chain, address }: Place, before: bigint): void {
  const { owner, lamports, data } = chain.account(address)!;
  const rent = chain.rentOf(data.length);
  expect({ owner, lamports }).toEqual({ owner: PROGRAM, lamports: before > rent ? before : rent });
}

/** Offsets in an account of the program. A list has them in its second entry, at its end. */
const HEADER = { type: 0, version: 1, bump: 2 };
/** Bytes of ProgramData before the program's code, which is not read. */
const PROGRAM_DATA_HEADER = 45;
const PROGRAM_DATA_VARIANT = 3;
/** The first byte of a MintConfig of Token ACL. */
const MINT_CONFIG_TYPE = 1;

const offsetOf = ({ chain, kind, address }: Place, field: 'version' | 'bump') => {
  const entry = isList(kind) ? chain.data(address).length - LIST_ENTRY_BYTES[kind] - 1 : 0;
  return entry + HEADER[field];
};
/** The newest version of the layout of a kind. */
const newestOf = (kind: Kind) => (SECOND_VERSION.includes(kind) ? 2 : 1);
const SECOND_VERSION: readonly Kind[] = [
  'credential',
  'ruleSet',
  'mintBinding',
  'pass',
  'extraAccountMetaList',
];
const typeOf = (kind: Kind) => {
  if (kind === 'programData') return PROGRAM_DATA_VARIANT;
  if (kind === 'mintConfig') return MINT_CONFIG_TYPE;
  // The list of can-thaw begins with the type of a pass.
  if (kind === 'thawList') return TYPES.pass;
  return isRecord(kind) ? TYPES[kind] : undefined;
};

/** The columns by name, in their order in the matrix. */
export const COLUMNS = {
  unsigned: (place) => [withRole(place, downgradeRoleToNonSigner)],
  readOnly: (place) => [withRole(place, downgradeRoleToReadonly)],
  /** Another wallet, which signs where the account must. */
  otherWallet: async ({ instruction, index }) => {
    const address = await addressOf('unrelated wallet');
    return [{ what: 'an unrelated wallet', instruction: withAccount(instruction, index, { address }) }];
  },
  /** A valid account of the same kind, with other seeds or of another wallet. */
  sameKind: async ({ chain, instruction, index, kind, another }) => {
    const address = await another!(chain);
    // `another` may have changed the chain. Because of `prepare`, the stage reads the state to compare with after it.
    const prepare = () => undefined;
    return [{ what: `another ${kind}`, prepare, instruction: withAccount(instruction, index, { address }) }];
  },
  /** At its address, with valid content, but owned by the system program. */
  systemOwned: (place) => [rewritten(place, 'of the system program', () => ({ owner: SYSTEM_PROGRAM }))],
  otherProgramOwned: async (place) => {
    const owner = await addressOf('other program');
    const rent = place.chain.rentOf(0);
    return [
      rewritten(place, 'of another program', ({ lamports }) => ({ lamports: lamports || rent, owner })),
    ];
  },
  /** At its address, of its program, with another type byte. */
  otherType: (place) =>
    [0, ...Object.values(TYPES), 10, 255]
      .filter((type) => type !== typeOf(place.kind))
      .map((type) => patched(place, HEADER.type, type)),
  otherVersion: (place) =>
    [0, newestOf(place.kind) + 1, 255].map((version) => patched(place, offsetOf(place, 'version'), version)),
  shorter: (place) => {
    const { length } = place.chain.data(place.address);
    const least = place.kind === 'programData' ? PROGRAM_DATA_HEADER : length;
    const lengths = [0, 1, 3, least - 1].filter((bytes) => bytes < length);
    return [...new Set(lengths)].map((bytes) =>
      rewritten(place, `cut to ${bytes} bytes`, ({ data }) => ({ data: data.slice(0, bytes) })),
    );
  },
  longer: (place) =>
    [1, 37].map((bytes) =>
      rewritten(place, `${bytes} bytes longer`, ({ data }) => ({
        data: Uint8Array.of(...data, ...new Uint8Array(bytes)),
      })),
    ),
  /** A real account of the program that is of another kind. */
  otherKind: (place) => otherKinds(place, 'program'),
  /** A real account of Token-2022 that is of another kind. */
  otherTokenKind: (place) => otherKinds(place, 'token'),
  /** Of its program, but never initialized. */
  zeros: (place) => [rewritten(place, 'all zeros', ({ data }) => ({ data: new Uint8Array(data.length) }))],
  missing: (place) => [
    rewritten(place, 'missing', () => ({ lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() })),
  ],
  /** The pass was closed by `close-pass`. */
  closed: (place) => [{ what: 'closed', prepare: () => close(place), instruction: place.instruction }],
  /** The pass was closed and proved again. */
  reopened: (place) => {
    const prepare = async () => place.chain.confirm(prove({ wallet: await close(place) }));
    return [{ what: 'closed and proved again', prepare, instruction: place.instruction }];
  },
  otherBump: (place) => {
    const offset = offsetOf(place, 'bump');
    const bump = place.chain.data(place.address)[offset]!;
    return [bump ^ 1, 0, 255 - bump].map((value) => patched(place, offset, value));
  },
  /** Anyone sent lamports to its address. */
  funded: (place) => {
    const { chain, address, kind } = place;
    const isCreated = !chain.account(address) && (isRecord(kind) || isList(kind));
    return [1n, 890_880n, 10_000_000_000n].map((more) => ({
      ...rewritten(place, `${more} lamports sent there`, ({ lamports }) => ({ lamports: lamports + more })),
      check: isCreated ? () => expectRent(place, more) : undefined,
    }));
  },
} satisfies Record<string, (place: Place) => readonly Attempt[] | Promise<readonly Attempt[]>>;

export type ColumnName = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

/** The columns in which the program does not own the account. */
export const NOT_OF_PROGRAM = [
  'otherWallet',
  'systemOwned',
  'otherProgramOwned',
  'otherTokenKind',
  'missing',
] as const;

/** The columns in which another address is in the place of the account's. */
export const OTHER_ADDRESS = ['sameKind', 'otherWallet', 'otherKind', 'otherTokenKind'] as const;
