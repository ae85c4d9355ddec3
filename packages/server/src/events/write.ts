/** Makes and writes events. The events of operations come from a trigger of the table `operation`. */
import type { EventType } from '@service/contract';
import type { Address } from '@solana/kit';
import type { Insertable, Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { EventTable, Schema } from '../database/schema.ts';
import { batchesOf } from '../lib/batches.ts';

/** An event before it is written. */
export type NewEvent = Pick<Insertable<EventTable>, 'wallet' | 'type' | 'cause' | 'data'>;

type EventSchema = z.ZodMiniObject<{ type: z.ZodMiniLiteral<EventType>; data: z.ZodMiniType }>;

/**
 * Makes an event of one of the contract's types. `cause` is what the event is about besides its type: the same cause has one
 * event.
 */
export function newEvent<S extends EventSchema>(
  { shape }: S,
  { wallet, cause, data }: { wallet: Address; cause: readonly unknown[]; data: z.output<S['shape']['data']> },
): NewEvent {
  const type = shape.type.def.values[0]!;
  return {
    wallet,
    type,
    cause: [type, ...cause].join(':'),
    data: JSON.stringify(z.encode(shape.data, data)),
  };
}

const ROWS_PER_STATEMENT = 500;

/** Writes events, in this order for each wallet. Leaves out those whose cause has an event already. */
export async function writeEvents(trx: Kysely<Schema>, events: readonly NewEvent[]): Promise<void> {
  for (const some of batchesOf(events, ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('event')
      .values(some)
      .onConflict((conflict) => conflict.column('cause').doNothing())
      .execute();
  }
}
