/** Reads credentials, passes, bindings and places of the index in pages, in the order of their addresses. */
import type { Address } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import type { IndexedAccountTable, Schema } from '../database/schema.ts';
import { batchesOf } from '../lib/batches.ts';

/** Which rows to read: those that meet every given condition. */
export interface RowScope {
  /** Only these addresses. */
  readonly in?: readonly Address[];
  /** Only passes that have not expired `upTo` a time, and whose notice became due until then, `after` a time or null. */
  readonly due?: { readonly after: bigint | null; readonly upTo: bigint };
}

/** The kinds of accounts that have events. */
export const EVENTFUL: ReadonlySet<IndexedAccountTable['kind']> = new Set([
  'credential',
  'pass',
  'mintBinding',
  'place',
]);

const PAGE = 1_000;

/** When the notice of a pass is due: a day before its expiry, or when half of a shorter life is over. An index has it. */
const NOTICE = sql<bigint>`(expires_at - least(86400, (expires_at - issued_at) / 2))`;

/** Yields the rows in pages. */
export async function* pagesOfRows(
  trx: Kysely<Schema>,
  scope: RowScope,
): AsyncGenerator<readonly IndexedAccountTable[]> {
  if (!scope.in) return yield* readPages(trx, scope);
  for (const some of batchesOf(scope.in, PAGE)) yield* readPages(trx, { ...scope, in: some });
}

async function* readPages(trx: Kysely<Schema>, scope: RowScope) {
  for (let last = ''; ; ) {
    const rows = await query(trx, scope)
      .where('address', '>', last as Address)
      .orderBy('address')
      .limit(PAGE)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.address;
  }
}

function query(trx: Kysely<Schema>, { in: addresses, due }: RowScope) {
  let rows = trx.selectFrom('indexed_account').selectAll();
  rows = due ? rows.where('kind', '=', 'pass') : rows.where('kind', 'in', [...EVENTFUL]);
  if (addresses) rows = rows.where(sql<boolean>`address = any(${[...addresses]}::text[])`);
  if (!due) return rows;
  if (due.after !== null) rows = rows.where(NOTICE, '>', due.after);
  return rows.where(NOTICE, '<=', due.upTo).where('expires_at', '>', due.upTo);
}
