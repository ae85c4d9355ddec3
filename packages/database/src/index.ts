/** Opens a database, PGlite or PostgreSQL, and applies the migrations of its owner. */
export { createDatabaseClock, type DatabaseClock, type MachineClocks, SYSTEM_CLOCK } from './clock.ts';
export { DatabaseNewerError, MIGRATION_LOCK, type Migrations, migrate } from './migrate.ts';
export { type OpenDatabase, type OpenDatabaseOptions, openDatabase } from './open.ts';
export { pgliteDialect } from './pglite/dialect.ts';
export { PgliteMissingError } from './pglite/load.ts';
export { DatabaseLockedError, lockDirectory } from './pglite/lock.ts';
export { kyselyOf, openPool, POSTGRES_LIMITS } from './postgres/pool.ts';
