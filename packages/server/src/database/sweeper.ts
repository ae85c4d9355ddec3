/** Deletes rows that are no longer needed, at intervals. */
import { type RawBuilder, sql } from 'kysely';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import type { Schema } from './schema.ts';

const INTERVAL_MS = 10 * 60 * 1_000;
/** Rows per statement, which locks them until it ends. */
const BATCH = 500;

/** Rows of a table to delete once their time, in Unix milliseconds, is `keepMs` ago. */
export interface Leftovers {
  readonly table: keyof Schema;
  /** Its primary key. */
  readonly key: string;
  readonly time: string;
  readonly keepMs: number;
  /** Restricts the rows that may be deleted. @default all */
  readonly where?: RawBuilder<boolean>;
}

/** Starts to delete leftovers every ten minutes, in batches. */
export function startSweeper(service: Service, name: string, leftovers: readonly Leftovers[]): Background {
  return startBackground(service, {
    name,
    intervalMs: INTERVAL_MS,
    async step(signal) {
      for (const each of leftovers) while (!signal.aborted && (await removeBatch(service, each)) === BATCH);
    },
  });
}

/** Skips rows that another transaction is changing: they may no longer be leftovers. */
async function removeBatch(
  { db, clock }: Service,
  { table, key, time, keepMs, where = sql<boolean>`true` }: Leftovers,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)}
      where ${sql.ref(time)} <= ${BigInt(clock.now() - keepMs)} and ${where} limit ${BATCH}
      for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
