/** Applies migrations. */
import { type Kysely, sql } from 'kysely';
import * as rateLimits from './migrations/0001-rate-limits.ts';
import * as signIn from './migrations/0002-sign-in.ts';
import * as operations from './migrations/0003-operations.ts';
import * as index from './migrations/0004-index.ts';
import * as verification from './migrations/0005-verification.ts';
import * as expiredOperations from './migrations/0006-expired-operations.ts';
import * as stateGuards from './migrations/0007-state-guards.ts';
import * as deliveryAge from './migrations/0008-delivery-age.ts';
import * as revocations from './migrations/0009-revocations.ts';
import * as revocationGuards from './migrations/0010-revocation-guards.ts';
import * as indexSignatures from './migrations/0011-index-signatures.ts';
import * as deployment from './migrations/0012-deployment.ts';
import * as adoptedMessages from './migrations/0013-adopted-messages.ts';
import * as passFees from './migrations/0014-pass-fees.ts';
import * as passIssueTimes from './migrations/0015-pass-issue-times.ts';
import * as passesToEnd from './migrations/0016-passes-to-end.ts';
import * as draftHeights from './migrations/0017-draft-heights.ts';
import * as events from './migrations/0018-events.ts';
import * as indexSlices from './migrations/0019-index-slices.ts';
import * as eventProgress from './migrations/0020-event-progress.ts';

/** One migration. */
export interface Migration {
  /** The name that the database records once the migration is applied. It never changes. */
  readonly name: string;
  /** Changes the database by statements that PGlite and PostgreSQL both accept. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs while the schema is not there yet
  up(db: Kysely<any>): Promise<void>;
}

/**
 * All migrations in the order in which they are applied. Never change a released migration; add another one. A migration
 * contains its SQL and imports no other code, so that it does the same in every version.
 */
const MIGRATIONS: readonly Migration[] = [
  rateLimits,
  signIn,
  operations,
  index,
  verification,
  expiredOperations,
  stateGuards,
  deliveryAge,
  revocations,
  revocationGuards,
  indexSignatures,
  deployment,
  adoptedMessages,
  passFees,
  passIssueTimes,
  passesToEnd,
  draftHeights,
  events,
  indexSlices,
  eventProgress,
];

/** The key of the advisory lock by which services that start at once take turns. Any fixed number works. */
export const MIGRATION_LOCK = 7_219_384_655_102n;

/** Thrown if the database has migrations that this version does not know. */
export class DatabaseNewerError extends Error {
  override readonly name = 'DatabaseNewerError';
}

/** Applies all missing migrations in one transaction. @throws DatabaseNewerError */
// biome-ignore lint/suspicious/noExplicitAny: as above
export async function migrate(db: Kysely<any>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Waiting for another replica, or migrating many rows, may take longer than a statement of a request.
    // The role may have limits, as behind PgBouncer.
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local lock_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(trx);
    await sql`create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const applied = await sql<{ name: string }>`select name from schema_migration`.execute(trx);
    const names = new Set(applied.rows.map(({ name }) => name));
    const unknown = [...names].filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
    if (unknown.length > 0) {
      throw new DatabaseNewerError(
        `The database is newer than this version of the service: it has the unknown migrations ${unknown.sort().join(', ')}. Start the newer version, or restore an older backup.`,
      );
    }
    const missing = MIGRATIONS.filter((migration) => !names.has(migration.name));
    // An older version may still run. A step of its index locks the position first and then the accounts, so this
    // transaction must not lock them the other way round. Reads go on.
    if (missing.length > 0 && names.has(index.name))
      await sql`lock table index_position in exclusive mode`.execute(trx);
    for (const migration of missing) {
      await migration.up(trx);
      await sql`insert into schema_migration (name) values (${migration.name})`.execute(trx);
    }
  });
}
