/** The database of a verifier. */
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase as open } from '@service/database';
import type { Address } from '@solana/kit';
import { MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** The open database of a verifier, with its tables. */
export type Database = OpenDatabase<Schema>;

/** Opens the database of a verifier. Throws what `openDatabase` of `@service/database` throws. */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  return open(options, MIGRATIONS);
}

/** What a database belongs to. Statements for another program or key would be signed with times of this one. */
export interface Owner {
  readonly program: Address;
  readonly genesisHash: string;
  readonly authority: Address;
}

/** The database belongs to another program, cluster or key. */
export class DatabaseMismatchError extends Error {
  override readonly name = 'DatabaseMismatchError';
}

/** Records what the database belongs to at the first start. @throws DatabaseMismatchError */
export async function claimDatabase({ db }: Database, owner: Owner): Promise<void> {
  const { program, genesisHash: genesis_hash, authority } = owner;
  const row = { id: 1, program, genesis_hash, authority };
  await db
    .insertInto('deployment')
    .values(row)
    .onConflict((on) => on.doNothing())
    .execute();
  const found = await db.selectFrom('deployment').selectAll().executeTakeFirstOrThrow();
  const differs = (['program', 'genesis_hash', 'authority'] as const).find(
    (name) => found[name] !== row[name],
  );
  if (differs === undefined) return;
  throw new DatabaseMismatchError(
    `The database belongs to the ${differs} ${found[differs]}, not to ${row[differs]}. Use the database of this verifier, or a new one.`,
  );
}
