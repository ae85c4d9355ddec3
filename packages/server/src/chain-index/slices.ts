/**
 * Slices of the program's accounts. No RPC returns accounts in pages, and a response with all of them can be too large. A
 * slice is a kind of account, or those accounts of a kind whose wallet or tag begins with a given byte.
 */
import {
  ACCOUNT_TYPES,
  CREDENTIAL_OFFSETS,
  GATE_LIST_TYPES,
  type GateListKind,
  PASS_OFFSETS,
  type ProgramAccountKind,
} from '@service/protocol';
import { type GetProgramAccountsMemcmpFilter, getBase64Decoder } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { IndexedRow } from './find.ts';

/** Where the tag is in a place. It is a field element, so its first byte is at most that of the order of the field. */
const TAG = { offset: 35, values: 0x31 } as const;

/** A slice. */
export interface Slice {
  /** Absent: all accounts. */
  readonly kind?: ProgramAccountKind | GateListKind;
  /** A byte of the account. Absent: all accounts of the kind. */
  readonly byte?: { readonly offset: number; readonly value: number };
}

/** Where the wallet is in a credential and in a pass. The indexes of the database name these offsets too. */
const WALLET_OFFSET = { credential: CREDENTIAL_OFFSETS.wallet, pass: PASS_OFFSETS.wallet } as const;
const BYTES = Array.from({ length: 256 }, (_, value) => value);

/** All accounts as one slice. */
export const ALL: Slice = {};

/** All other slices. Together they are all accounts that the index has. */
export const SLICES: readonly Slice[] = [
  ...(['config', 'verifier', 'circuit', 'ruleSet', 'mintBinding'] as const).map((kind) => ({ kind })),
  ...BYTES.map((value) => ofWallets('credential', value)),
  ...BYTES.map((value) => ofWallets('pass', value)),
  // At the end, because a full reading of the release before continues at its number of a slice.
  { kind: 'thawList' },
  { kind: 'freezeList' },
  ...BYTES.slice(0, TAG.values).map((value) => ({
    kind: 'place' as const,
    byte: { offset: TAG.offset, value },
  })),
];

/** Returns the credentials or passes of the wallets that begin with a byte. */
export function ofWallets(kind: keyof typeof WALLET_OFFSET, value: number): Slice {
  return { kind, byte: { offset: WALLET_OFFSET[kind], value } };
}

/** Returns the filters of `getProgramAccounts` for a slice. */
export function filtersOf({ kind, byte }: Slice): GetProgramAccountsMemcmpFilter[] {
  const parts = [
    ...(kind ? [{ offset: 0, bytes: firstBytes(kind) }] : []),
    ...(byte ? [{ offset: byte.offset, bytes: Uint8Array.of(byte.value) }] : []),
  ];
  return parts.map(({ offset, bytes }) => ({
    memcmp: {
      offset: BigInt(offset),
      bytes: getBase64Decoder().decode(bytes) as never,
      encoding: 'base64',
    },
  }));
}

function firstBytes(kind: ProgramAccountKind | GateListKind) {
  return kind === 'thawList' || kind === 'freezeList'
    ? GATE_LIST_TYPES[kind]
    : Uint8Array.of(ACCOUNT_TYPES[kind]);
}

/** Returns the rows of slices in the index. */
export async function indexedRows(db: Kysely<Schema>, slices: readonly Slice[]): Promise<IndexedRow[]> {
  const selects = slices.map(({ kind, byte }) => {
    // The kind and the offset are part of indexes, so they are not parameters.
    const isOfKind = kind ? sql`kind = ${sql.lit(kind)}` : sql`true`;
    const isOfByte = byte ? sql`get_byte(data, ${sql.lit(byte.offset)}) = ${byte.value}` : sql`true`;
    return sql`select address, data, lamports from indexed_account where ${isOfKind} and ${isOfByte}`;
  });
  const { rows } = await sql<IndexedRow>`${sql.join(selects, sql` union all `)}`.execute(db);
  return rows;
}
