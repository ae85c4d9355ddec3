/** The database's shape, built by each part's own migration, in order, once. */
import { type Kysely, sql } from 'kysely';
import * as auth from '../auth/migration.ts';
import * as index from '../chain-index/migration.ts';
import * as http from '../http/migration.ts';
import * as operations from '../operations/migration.ts';
import * as expiredOperations from '../operations/migration-expired.ts';
import * as verification from '../verification/migration.ts';
import * as revocations from '../verification/migration-revocations.ts';

/** One step of the database's shape. */
export interface Migration {
  /** Recorded once it is applied; never changes. */
  readonly name: string;
  /** Creates what the part needs, by statements that PGlite and PostgreSQL both take. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs while the schema is not there yet
  up(db: Kysely<any>): Promise<void>;
}

const MIGRATIONS: readonly Migration[] = [
  http,
  auth,
  operations,
  index,
  verification,
  expiredOperations,
  revocations,
];

/** Any fixed number: services that start at once take turns by it. */
const LOCK = 7_219_384_655_102n;

/** Applies what is not applied yet; all or nothing. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export async function migrate(db: Kysely<any>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
    await sql`create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const applied = await sql<{ name: string }>`select name from schema_migration`.execute(trx);
    const names = new Set(applied.rows.map(({ name }) => name));
    for (const migration of MIGRATIONS) {
      if (names.has(migration.name)) continue;
      await migration.up(trx);
      await sql`insert into schema_migration (name) values (${migration.name})`.execute(trx);
    }
  });
}
