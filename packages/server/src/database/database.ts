/** The database of the service. */
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase as open } from '@service/database';
import type { Kysely } from 'kysely';
import type { Settings } from '../settings.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** The open database of the service, with its tables. */
export type Database = OpenDatabase<Schema>;

/** Opens the database of the service. Throws what `openDatabase` of `@service/database` throws. */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  return open(options, MIGRATIONS);
}

/** Thrown if the database belongs to a program or cluster other than that of the settings. */
export class DatabaseMismatchError extends Error {
  override readonly name = 'DatabaseMismatchError';
}

/**
 * Stores program and cluster of the settings at the first start, and compares them at every later start.
 *
 * @throws DatabaseMismatchError
 */
export async function claimDatabase(
  db: Kysely<Schema>,
  { program, genesisHash }: Pick<Settings, 'program' | 'genesisHash'>,
): Promise<void> {
  await db
    .insertInto('deployment')
    .values({ id: 1, program, genesis_hash: genesisHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await db.selectFrom('deployment').selectAll().executeTakeFirstOrThrow();
  if (kept.program === program && kept.genesis_hash === genesisHash) return;
  const [stored, configured] = [
    [kept.program, kept.genesis_hash],
    [program, genesisHash],
  ].map(([address, hash]) => `the program ${address} on the cluster with the genesis hash ${hash}`);
  throw new DatabaseMismatchError(
    `The database belongs to ${stored}, but the settings have ${configured}. Correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or set DATABASE_URL or DATA_DIRECTORY to another database.`,
  );
}
