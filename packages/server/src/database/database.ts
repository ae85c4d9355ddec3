/** The database of the service. */
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase as open } from '@service/database';
import { MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** The open database of the service, with its tables. */
export type Database = OpenDatabase<Schema>;

/** Opens the database of the service. Throws what `openDatabase` of `@service/database` throws. */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  return open(options, MIGRATIONS);
}
