/** The reference server: `createService` assembles it, `openDatabase` opens its database. */
export { type CreatedService, type CreateServiceOptions, createService } from './create-service.ts';
export { DatabaseLockedError } from './database/lock.ts';
export { DatabaseNewerError } from './database/migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase } from './database/open.ts';
export type { Clock, Service } from './service.ts';
export type { Settings } from './settings.ts';
