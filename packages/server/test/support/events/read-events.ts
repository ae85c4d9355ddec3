import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';
import type { RecordedEvent } from '../../../src/events/record.ts';

/** Returns the events of a wallet, or of all wallets, in the order of their commits. */
export async function readEvents(
  { db }: Pick<Database, 'db'>,
  { after = 0n, wallet }: { after?: bigint; wallet?: string } = {},
): Promise<RecordedEvent[]> {
  const { rows } = await sql<RecordedEvent>`
    select id, position, wallet, type, created_at, data from event
    where position > ${after} ${wallet === undefined ? sql`` : sql`and wallet = ${wallet}`} order by position`.execute(
    db,
  );
  return rows;
}
