/** Finds accounts in the index. */
import { type AccountKind, type AccountOf, decodeAccount, type Found, PASS_OFFSETS } from '@service/protocol';
import { type Address, lamports } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import type { IndexedAccountTable, Schema } from '../database/schema.ts';
import type { Service } from '../service.ts';

/** A filter of accounts. Each given column must equal the value, or be in the list. */
export type Wanted = {
  readonly [C in 'address' | 'wallet' | 'rule' | 'verifier']?: Address | readonly Address[];
};

/** How many accounts, and in which order. */
export interface Page {
  readonly limit?: number;
  /** Only addresses after this one, the last of the previous page. */
  readonly after?: Address | null;
  /** The accounts that come first, before the order by address. */
  readonly first?: keyof typeof FIRST;
}

const FIRST = {
  /** Those that expire last. */
  lastToExpire: sql`expires_at`,
  /** Bindings by the creator of the rule set, because anybody can bind a mint to it. */
  byCreator: sql`exists (
    select from indexed_account rule_set
    where rule_set.address = indexed_account.rule and rule_set.kind = 'ruleSet'
      and rule_set.wallet = indexed_account.wallet
  )`,
};

/** The parts of the service that a query needs. */
export interface IndexReader {
  readonly db: Kysely<Schema>;
  readonly settings: Pick<Service['settings'], 'program'>;
}

/** Returns the accounts of a kind, ordered by address by default. Adding accounts does not change that order. */
export async function findAccounts<K extends AccountKind>(
  { db, settings: { program } }: IndexReader,
  kind: K,
  wanted: Wanted = {},
  { limit, after, first }: Page = {},
): Promise<Found<AccountOf<K>>[]> {
  let query = db
    .selectFrom('indexed_account')
    .select(['address', 'data', 'lamports'])
    .where('kind', '=', kind);
  for (const column of ['address', 'wallet', 'rule', 'verifier'] as const) {
    const value = wanted[column];
    if (typeof value === 'string') query = query.where(column, '=', value);
    else if (value) query = query.where(column, '=', sql<Address>`any(${[...value]}::text[])`);
  }
  if (first) query = query.orderBy(FIRST[first], 'desc');
  if (after) query = query.where('address', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.orderBy('address').execute();
  return rows.map((row) => decodeRow(program, kind, row));
}

/** Returns the first account of a kind that matches, or undefined. */
export async function findAccount<K extends AccountKind>(
  reader: IndexReader,
  kind: K,
  wanted: Wanted = {},
): Promise<Found<AccountOf<K>> | undefined> {
  const [found] = await findAccounts(reader, kind, wanted, { limit: 1 });
  return found;
}

/** Returns the time in Unix seconds before which governance ended all issued passes; 0 if it never did. */
export async function passesValidFrom(reader: IndexReader): Promise<bigint> {
  return (await findAccount(reader, 'config'))?.data.passesValidFrom ?? 0n;
}

/**
 * Returns whether a pass is suspended at a chain time in Unix seconds. Its time is in its data: 8 bytes, the lowest first.
 * `column` is the one of the data.
 */
export function isSuspendedAt(chainTime: bigint, column = 'data') {
  const at = PASS_OFFSETS.suspendedUntil;
  const data = sql.ref(column);
  const byte = (place: number) =>
    sql`(get_byte(${data}, ${sql.lit(at + place)})::int8 << ${sql.lit(8 * place)})`;
  const low = sql.join([0, 1, 2, 3].map(byte), sql` + `);
  // The upper half is not zero from the year 2106 on, and in a suspension that lasts until it is lifted.
  return sql<boolean>`(substring(${data} from ${sql.lit(at + 5)} for 4) <> '\\x00000000'::bytea or ${low} > ${chainTime})`;
}

/** Returns the lamports of the pass fees that all rule sets still hold for the treasury. */
export async function sumOfFees({ db }: IndexReader): Promise<bigint> {
  const { fees } = await db
    .selectFrom('indexed_account')
    .select(({ fn }) => fn.sum<string | null>('fees').as('fees'))
    .where('kind', '=', 'ruleSet')
    .executeTakeFirstOrThrow();
  return BigInt(fees ?? 0);
}

/** What the index has of an account. */
export type IndexedRow = Pick<IndexedAccountTable, 'address' | 'data' | 'lamports'>;

/** Returns the account of a row. Throws Error if the row is not of this kind. */
export function decodeRow<K extends AccountKind>(
  program: Address,
  kind: K,
  row: IndexedRow,
): Found<AccountOf<K>> {
  const found = decodeAccount(program, kind, encodedAccount(program, row));
  // The indexer decodes each account before it writes it.
  if (!found) {
    throw new Error(
      `The index has an account that is not a ${kind}. Delete the index, so that the server reads it again.`,
    );
  }
  return found;
}

/** Returns a row as an account of kit. The program owns every account of the index. */
export function encodedAccount(program: Address, { address, data, lamports: balance }: IndexedRow) {
  const owned = { exists: true, executable: false, programAddress: program } as const;
  return { ...owned, address, data, lamports: lamports(balance), space: BigInt(data.length) };
}
