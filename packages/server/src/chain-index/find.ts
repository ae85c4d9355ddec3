/** Finds accounts in the index. */
import {
  type AccountKind,
  type AccountOf,
  decodeAccount,
  type Found,
  PASS_OFFSETS,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { type Address, lamports } from '@solana/kit';
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from 'kysely';
import type { IndexedAccountTable, Schema } from '../database/schema.ts';
import type { Service } from '../service.ts';

/** A filter of accounts. Each given column must equal the value, or be in the list. */
export type Wanted = {
  readonly [C in 'address' | 'wallet' | 'rule' | 'verifier']?: Address | readonly Address[];
};

/** A page of accounts. */
export interface Page {
  /** The last address of the previous page. */
  readonly after: Address | null;
  readonly limit: number;
}

/** A page of the accounts that expire last, in that order. */
export interface LastToExpire {
  readonly lastToExpire: number;
}

/** The first bindings. Those of the creator of the rule set come before others, because anybody can bind a mint to it. */
export interface CreatorFirst {
  readonly creatorFirst: number;
}

/** The parts of the service that a query needs. */
export interface IndexReader {
  readonly db: Kysely<Schema>;
  readonly settings: Pick<Service['settings'], 'program'>;
}

/** Returns the accounts of a kind, ordered by address by default. Adding accounts does not change that order. */
export async function findAccounts<K extends AccountKind>(
  reader: IndexReader,
  kind: K,
  wanted: Wanted = {},
  page?: Page | LastToExpire | CreatorFirst,
): Promise<Found<AccountOf<K>>[]> {
  let query = reader.db
    .selectFrom('indexed_account')
    .select(['address', 'data', 'lamports'])
    .where((where) => where.and([where('kind', '=', kind), ...conditions(where, wanted)]));
  if (page && 'lastToExpire' in page) {
    query = query.orderBy('expires_at', 'desc').limit(page.lastToExpire);
  } else if (page && 'creatorFirst' in page) {
    query = query.orderBy(isByCreator, 'desc').limit(page.creatorFirst);
  } else if (page) {
    query = query.limit(page.limit);
    if (page.after) query = query.where('address', '>', page.after);
  }
  const rows = await query.orderBy('address').execute();
  return rows.map((row) => decodeRow(reader, kind, row));
}

/** Whether the issuer of a binding created its rule set. */
const isByCreator = sql<boolean>`exists (
  select from indexed_account rule_set
  where rule_set.address = indexed_account.rule and rule_set.kind = 'ruleSet'
    and rule_set.wallet = indexed_account.wallet
)`;

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

/** Returns the first account of a kind that matches, or undefined. */
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
  return (['address', 'wallet', 'rule', 'verifier'] as const).flatMap((column) => {
    const value = wanted[column];
    if (value === undefined) return [];
    // An empty list must match nothing. No account of the program has the address that is added.
    return typeof value === 'string'
      ? where(column, '=', value)
      : where(column, 'in', [...value, SYSTEM_PROGRAM]);
  });
}

/** Returns the account of a row. Throws Error if the row is not of this kind. */
export function decodeRow<K extends AccountKind>(
  { settings: { program } }: Pick<IndexReader, 'settings'>,
  kind: K,
  row: Pick<IndexedAccountTable, 'address' | 'data' | 'lamports'>,
): Found<AccountOf<K>> {
  const found = decodeProgramAccount(program, kind, row);
  // The indexer decodes each account before it writes it.
  if (!found) {
    throw new Error(
      `The index has an account that is not a ${kind}. Delete the index, so that the server reads it again.`,
    );
  }
  return found;
}

/** Returns the account of the program as the kind, or null if it is malformed. */
export function decodeProgramAccount<K extends AccountKind>(
  program: Address,
  kind: K,
  { address, data, lamports: balance }: Pick<IndexedAccountTable, 'address' | 'data' | 'lamports'>,
): Found<AccountOf<K>> | null {
  const owned = { exists: true, executable: false, programAddress: program } as const;
  const content = { address, data, lamports: lamports(balance), space: BigInt(data.length) };
  return decodeAccount(program, kind, { ...owned, ...content });
}
