/** Applies migrations. */
import { type Kysely, type Migration, Migrator, PostgresAdapter, PostgresDialect, sql } from 'kysely';

/**
 * All migrations of a database by their names, which it records. They are applied in the order of the names. Never change one
 * that was released; add another one. A migration contains its SQL and imports no other code, so that it does the same in every
 * version.
 */
export type Migrations = Readonly<Record<string, Migration>>;

/** The key of the advisory lock by which services that start at once take turns. Any fixed number works. */
export const MIGRATION_LOCK = 7_219_384_655_102n;

/** Thrown if the database has migrations that this version does not know. */
export class DatabaseNewerError extends Error {
  override readonly name = 'DatabaseNewerError';
}

/**
 * The adapter of a database whose migrations `migrate` runs. Kysely's own locks the session, which does not work behind
 * PgBouncer, and does not report why a migration failed. `migrate` locks its transaction instead.
 */
class MigrationAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The dialect of that database. */
export class MigratedDialect extends PostgresDialect {
  override createAdapter(): MigrationAdapter {
    return new MigrationAdapter();
  }
}

/** Applies all missing migrations in one transaction. @throws DatabaseNewerError */
// biome-ignore lint/suspicious/noExplicitAny: the tables of the schema may not exist yet
export async function migrate(db: Kysely<any>, migrations: Migrations): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      // Waiting for another replica, or migrating many rows, may take longer than a statement of a request.
      // The role may have limits, as behind PgBouncer.
      await sql`set local statement_timeout = 0`.execute(connection);
      await sql`set local lock_timeout = 0`.execute(connection);
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(connection);
      await assertNotNewer(connection, migrations);
      const provider = { getMigrations: async () => ({ ...migrations }) };
      const migrator = new Migrator({ db: connection, provider, disableTransactions: true });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      await sql`commit`.execute(connection);
    } catch (error) {
      // If the connection broke, the rollback fails too.
      await sql`rollback`.execute(connection).catch(() => undefined);
      throw error;
    }
  });
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function assertNotNewer(db: Kysely<any>, migrations: Migrations): Promise<void> {
  const { rows: found } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.length === 0) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new DatabaseNewerError(
    `The database is newer than this version of the service: it has the unknown migrations ${unknown.join(', ')}. Start the newer version, or restore an older backup.`,
  );
}
