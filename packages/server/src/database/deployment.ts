/** The program and cluster that a database belongs to: its index and operations are of no other. */
import type { Kysely } from 'kysely';
import type { Settings } from '../settings.ts';
import type { Schema } from './schema.ts';

/** The database belongs to another program or cluster than the settings name. */
export class DatabaseMismatchError extends Error {
  override readonly name = 'DatabaseMismatchError';
}

/**
 * Keeps program and cluster of the settings at the first start, and compares them at each further one.
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
  const [is, told] = [
    [kept.program, kept.genesis_hash],
    [program, genesisHash],
  ].map(([of, on]) => `the program ${of} on the cluster of the genesis hash ${on}`);
  throw new DatabaseMismatchError(
    `The database belongs to ${is}, the settings name ${told}: correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or name a database of its own in DATABASE_URL or DATA_DIRECTORY.`,
  );
}
