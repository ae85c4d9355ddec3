/** Writes events. The events of operations come from a trigger of the table `operation`. */
import type { Insertable, Kysely } from 'kysely';
import type { EventTable, Schema } from '../database/schema.ts';

/** An event before it is written. */
export type NewEvent = Pick<Insertable<EventTable>, 'wallet' | 'type' | 'cause' | 'data'>;

/** Rows that one statement writes. */
const ROWS_PER_STATEMENT = 500;

/** Writes events, in this order for each wallet. Leaves out those whose cause has an event already. */
export async function writeEvents(trx: Kysely<Schema>, events: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += ROWS_PER_STATEMENT) {
    await trx
      .insertInto('event')
      .values(events.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.column('cause').doNothing())
      .execute();
  }
}
