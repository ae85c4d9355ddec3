/** The database's shape, built by each part's own migration, in order, once. */
import { type Kysely, sql } from 'kysely';
import * as auth from '../auth/migration.ts';
import * as index from '../chain-index/migration.ts';
import * as indexSignatures from '../chain-index/migration-signatures.ts';
import * as http from '../http/migration.ts';
import * as operations from '../operations/migration.ts';
import * as expiredOperations from '../operations/migration-expired.ts';
import * as verification from '../verification/migration.ts';
import * as deliveryAge from '../verification/migration-delivery-age.ts';
import * as revocations from '../verification/migration-revocations.ts';
import * as deployment from './migration-deployment.ts';
import * as guard from './migration-guard.ts';
import * as guardRevocations from './migration-guard-revocations.ts';

/** One step of the database's shape. */
export interface Migration {
  /** Recorded once it is applied; never changes. */
  readonly name: string;
  /** Creates what the part needs, by statements that PGlite and PostgreSQL both take. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs while the schema is not there yet
  up(db: Kysely<any>): Promise<void>;
}

/**
 * In the order in which they are applied; what was released stays as it was, and is only added to. A step spells its names
 * out: taken from the code of the day, the same step would make another database tomorrow.
 */
const MIGRATIONS: readonly Migration[] = [
  http,
  auth,
  operations,
  index,
  verification,
  expiredOperations,
  guard,
  deliveryAge,
  revocations,
  guardRevocations,
  indexSignatures,
  deployment,
];

/** Any fixed number: services that start at once take turns by it. */
const LOCK = 7_219_384_655_102n;

/** The database has steps that this version does not know: a newer version has been at work on it. */
export class DatabaseNewerError extends Error {
  override readonly name = 'DatabaseNewerError';
}

/** Applies what is not applied yet; all or nothing. @throws DatabaseNewerError */
// biome-ignore lint/suspicious/noExplicitAny: as above
export async function migrate(db: Kysely<any>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Another replica's turn, or a step over many rows, may take longer than any statement of a request.
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
    await sql`create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const applied = await sql<{ name: string }>`select name from schema_migration`.execute(trx);
    const names = new Set(applied.rows.map(({ name }) => name));
    const unknown = [...names].filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
    if (unknown.length > 0) {
      throw new DatabaseNewerError(
        `The database is newer than this version of the service, which does not know its ${unknown.sort().join(', ')}: start the newer version, or restore a backup from before it.`,
      );
    }
    for (const migration of MIGRATIONS) {
      if (names.has(migration.name)) continue;
      await migration.up(trx);
      await sql`insert into schema_migration (name) values (${migration.name})`.execute(trx);
    }
  });
}
