/** The reference server: `createService` puts it together, `openDatabase` gives it its tables. */
export { type CreatedService, type CreateServiceOptions, createService } from './create-service.ts';
export { DatabaseLockedError } from './database/lock.ts';
export { DatabaseNewerError } from './database/migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase } from './database/open.ts';
export type { Clock, Service } from './service.ts';
export type { Settings } from './settings.ts';
