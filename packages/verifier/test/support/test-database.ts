import { newTestPlace } from '@service/database/test-support';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';

/** Opens a new database with all tables: PGlite in memory, or a new one on the PostgreSQL of TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<Database> {
  const place = await newTestPlace(MIGRATIONS);
  const database = await openDatabase(place.options);
  return {
    ...database,
    async close() {
      await database.close();
      await place.drop();
    },
  };
}
