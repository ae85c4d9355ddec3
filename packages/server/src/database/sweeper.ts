/** Deletes rows that are no longer needed. */
import { type RawBuilder, sql } from 'kysely';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import type { Schema } from './schema.ts';

const INTERVAL_MS = 10 * 60 * 1_000;
/** Rows that one statement deletes, because it keeps their locks until it ends. */
const BATCH = 500;

/** Rows of a table that are deleted `keepMs` after their time, in Unix milliseconds. */
export interface Leftovers {
  readonly table: keyof Schema;
  /** Its primary key. */
  readonly key: string;
  readonly time: string;
  readonly keepMs: number;
  /** The rows that may be deleted. @default all */
  readonly where?: RawBuilder<boolean>;
  /** Reports the rows that were deleted, with these columns. */
  readonly report?: { readonly columns: readonly string[]; rows(deleted: readonly DeletedRow[]): void };
}

/** Columns of a deleted row. */
export type DeletedRow = Readonly<Record<string, unknown>>;

/** Starts to delete such rows every ten minutes, in batches. */
export function startSweeper(service: Service, name: string, leftovers: readonly Leftovers[]): Background {
  return startBackground(service, {
    name,
    intervalMs: INTERVAL_MS,
    async step(signal) {
      for (const each of leftovers) while (!signal.aborted && (await removeBatch(service, each)) === BATCH);
    },
  });
}

/** Deletes one batch and returns its size. Skips locked rows, because their change may keep them. */
async function removeBatch(
  { db, clock }: Service,
  { table, key, time, keepMs, where = sql<boolean>`true`, report }: Leftovers,
): Promise<number> {
  const columns = [key, ...(report?.columns ?? [])].map((column) => sql.ref(column));
  const { rows } = await sql<DeletedRow>`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)}
      where ${sql.ref(time)} <= ${BigInt(clock.now() - keepMs)} and ${where} limit ${BATCH}
      for update skip locked
    )
    returning ${sql.join(columns)}`.execute(db);
  report?.rows(rows);
  return rows.length;
}
