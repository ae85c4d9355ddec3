/** The reference server: `createService` assembles it, `openDatabase` opens its database. */

export { UnreachableError } from '@service/configuration';
export type { CreatedService, CreateServiceOptions } from './create-service.ts';
export { ClusterMismatchError, createService } from './create-service.ts';
export { type Database, DatabaseMismatchError, openDatabase } from './database/database.ts';
export { MIGRATIONS } from './database/migrations/index.ts';
export type { Pages } from './http/routing/not-found.ts';
export { createPages, type PagesOptions, type PinnedDeployment } from './pages/create-pages.ts';
export { openRpc } from './rpc/open-rpc.ts';
export type { Clock, Service } from './service.ts';
export type { EventReceiver, Settings } from './settings.ts';
