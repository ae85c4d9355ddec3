/** Converts an account of the program to its row in the index. */
import {
  type AccountKind,
  type AccountOf,
  CREDENTIAL_OFFSETS,
  decodeAccount,
  decodeGateList,
  GATE_LIST_TYPES,
  type GateListKind,
  PASS_OFFSETS,
  programAccountKind,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import bs58 from 'bs58';
import type { IndexedAccountTable } from '../../database/schema.ts';
import { encodedAccount } from '../find.ts';

type LookUp = Partial<Omit<IndexedAccountTable, 'address' | 'kind' | 'data' | 'lamports' | 'slot'>>;

/** The largest integer of the database. It replaces a later time, and is later than every time that it is compared with. */
const INT8_MAX = 2n ** 63n - 1n;

/** An account as an RPC returns it. */
export interface ReadAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Buffer;
}

/**
 * Returns the row of an account at a finalized slot. Returns null if the account is malformed, has another owner, or is of an
 * unknown type or version.
 */
export function accountEntry(
  program: Address,
  account: ReadAccount,
  slot: bigint,
): IndexedAccountTable | null {
  const { data } = account;
  const kind = programAccountKind(program, account.owner, data) ?? gateListKind(program, account);
  const columns = kind && lookUp(program, kind, account);
  if (!columns) return null;
  return {
    address: account.address,
    kind,
    wallet: null,
    rule: null,
    mint: null,
    fees: null,
    issued_at: null,
    expires_at: null,
    verifier: null,
    circuit: null,
    commitment: null,
    is_void: null,
    ...columns,
    data,
    lamports: account.lamports,
    slot,
  };
}

/** Returns the columns of an account of a kind, or null if it is malformed. */
function lookUp(program: Address, kind: AccountKind | GateListKind, account: ReadAccount): LookUp | null {
  if (kind === 'thawList' || kind === 'freezeList') {
    const list = decodeGateList(program, kind, encodedAccount(program, account));
    return list && { mint: list.mint, rule: list.rule };
  }
  const many = MANY[kind];
  if (many) return account.data.length < many.size ? null : many.columns(account.data);
  const found = decodeAccount(program, kind, encodedAccount(program, account));
  const columns = LOOK_UPS[kind] as ((data: unknown) => LookUp) | undefined;
  return found && (columns?.(found.data) ?? {});
}

/** Returns which list of a gate an account of the program is, or null. */
function gateListKind(program: Address, { owner, data }: ReadAccount): GateListKind | null {
  if (owner !== program) return null;
  const kinds = Object.keys(GATE_LIST_TYPES) as GateListKind[];
  return kinds.find((kind) => data.subarray(0, 8).equals(GATE_LIST_TYPES[kind] as Uint8Array)) ?? null;
}

interface ManyAccounts {
  readonly size: number;
  columns(data: Buffer): LookUp;
}

/** The kinds with very many accounts. Reading their bytes directly takes a third of the CPU time of kit's codecs. */
const MANY: { readonly [K in AccountKind]?: ManyAccounts } = {
  credential: {
    size: CREDENTIAL_OFFSETS.size,
    columns: (data) => ({
      wallet: addressAt(data, CREDENTIAL_OFFSETS.wallet),
      verifier: addressAt(data, CREDENTIAL_OFFSETS.verifier),
      commitment: bytesAt(data, CREDENTIAL_OFFSETS.commitment),
      expires_at: timeAt(data, CREDENTIAL_OFFSETS.expiresAt),
      is_void: data[CREDENTIAL_OFFSETS.revoked] === 1,
    }),
  },
  pass: {
    size: PASS_OFFSETS.size,
    columns: (data) => ({
      wallet: addressAt(data, PASS_OFFSETS.wallet),
      rule: addressAt(data, PASS_OFFSETS.rule),
      verifier: addressAt(data, PASS_OFFSETS.verifier),
      circuit: addressAt(data, PASS_OFFSETS.circuit),
      commitment: bytesAt(data, PASS_OFFSETS.commitment),
      issued_at: timeAt(data, PASS_OFFSETS.issuedAt),
      expires_at: timeAt(data, PASS_OFFSETS.expiresAt),
    }),
  },
};

const bytesAt = (data: Buffer, offset: number) => data.subarray(offset, offset + 32);
const addressAt = (data: Buffer, offset: number) => bs58.encode(bytesAt(data, offset)) as Address;
const timeAt = (data: Buffer, offset: number) => int8(data.readBigUInt64LE(offset));

const LOOK_UPS: { readonly [K in AccountKind]?: (data: AccountOf<K>) => LookUp } = {
  verifier: ({ authority, active }) => ({ wallet: authority, is_void: !active }),
  circuit: ({ unsound }) => ({ is_void: unsound }),
  ruleSet: ({ creator, fees }) => ({ wallet: creator, fees: int8(fees) }),
  mintBinding: ({ issuer, rule, mint }) => ({ wallet: issuer, rule, mint }),
  place: ({ wallet, rule }) => ({ wallet, rule }),
};

function int8(value: bigint): bigint {
  return value < INT8_MAX ? value : INT8_MAX;
}
