/** The origin of the page that a session belongs to. Sessions of the release before have none: they are of the main origin. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column origin text`.execute(db);
}
