/** The reference server: `createService` assembles it, `openDatabase` opens its database. */

export { UnreachableError } from '@service/configuration';
export type { CreatedService, CreateServiceOptions } from './create-service.ts';
export { ClusterMismatchError, createService } from './create-service.ts';
export { DatabaseMismatchError } from './database/deployment.ts';
export { DatabaseNewerError } from './database/migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase } from './database/open.ts';
export { DatabaseLockedError } from './database/pglite/lock.ts';
export { type OpenPort, openPort } from './http/listen.ts';
export type { Pages } from './http/routing/not-found.ts';
export { openRpc } from './rpc/open-rpc.ts';
export type { Clock, Service } from './service.ts';
export type { EventReceiver, Settings } from './settings.ts';
