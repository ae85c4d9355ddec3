/** Looking accounts up in the index. */
import {
  type AccountKind,
  type AccountOf,
  decodeAccount,
  type Found,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { type Address, lamports } from '@solana/kit';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Service } from '../service.ts';
import type { IndexedAccountTable } from './tables.ts';

/** Which accounts of a kind are wanted: those that equal every given column, or are in every given list. */
export type Wanted = {
  readonly [C in 'address' | 'wallet' | 'rule' | 'mint']?: Address | readonly Address[];
};

/** Where a page begins and how many accounts it has. */
export interface Page {
  /** The last address of the page before. */
  readonly after: Address | null;
  readonly limit: number;
}

/** The accounts that expire last come first. */
export interface LastToExpire {
  readonly lastToExpire: number;
}

/** What a look-up needs of the service. */
export interface IndexReader {
  readonly db: Kysely<Schema>;
  readonly settings: Pick<Service['settings'], 'program'>;
}

/** The accounts of a kind, by address unless told: an order that an account which is added later does not disturb. */
export async function findAccounts<K extends AccountKind>(
  reader: IndexReader,
  kind: K,
  wanted: Wanted = {},
  page?: Page | LastToExpire,
): Promise<Found<AccountOf<K>>[]> {
  let query = reader.db
    .selectFrom('indexed_account')
    .select(['address', 'data', 'lamports'])
    .where((where) => where.and([where('kind', '=', kind), ...conditions(where, wanted)]));
  if (page && 'lastToExpire' in page) {
    query = query.orderBy('expires_at', 'desc').limit(page.lastToExpire);
  } else if (page) {
    query = query.limit(page.limit);
    if (page.after) query = query.where('address', '>', page.after);
  }
  const rows = await query.orderBy('address').execute();
  return rows.map((row) => decode(reader, kind, row));
}

/** The one account of a kind that is wanted, or undefined. */
export async function findAccount<K extends AccountKind>(
  reader: IndexReader,
  kind: K,
  wanted: Wanted = {},
): Promise<Found<AccountOf<K>> | undefined> {
  const [found] = await findAccounts(reader, kind, wanted, { after: null, limit: 1 });
  return found;
}

function conditions(
  where: ExpressionBuilder<Schema, 'indexed_account'>,
  wanted: Wanted,
): ExpressionWrapper<Schema, 'indexed_account', SqlBool>[] {
  return (['address', 'wallet', 'rule', 'mint'] as const).flatMap((column) => {
    const value = wanted[column];
    if (value === undefined) return [];
    // An empty list is a condition that nothing meets, and not one that is left out: no account of a program has that address.
    return typeof value === 'string'
      ? where(column, '=', value)
      : where(column, 'in', [...value, SYSTEM_PROGRAM]);
  });
}

function decode<K extends AccountKind>(
  { settings: { program } }: IndexReader,
  kind: K,
  row: Pick<IndexedAccountTable, 'address' | 'data' | 'lamports'>,
): Found<AccountOf<K>> {
  const found = decodeAccount(program, kind, {
    exists: true,
    address: row.address,
    data: row.data,
    executable: false,
    lamports: lamports(row.lamports),
    programAddress: program,
    space: BigInt(row.data.length),
  });
  // It was decoded before it was written, by the same code or an older one.
  if (!found)
    throw new Error(
      `The index has an account that is not a ${kind}. Delete the index, so that the server reads it again.`,
    );
  return found;
}
