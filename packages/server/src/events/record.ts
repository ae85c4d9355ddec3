/** An event in the form of the wire. */
import type { Selectable } from 'kysely';
import type { EventTable } from '../database/schema.ts';

/** The columns of an event that the wire has, and its position. */
export const RECORDED = ['id', 'position', 'wallet', 'type', 'created_at', 'data'] as const;

/** An event with these columns. */
export type RecordedEvent = Pick<Selectable<EventTable>, (typeof RECORDED)[number]>;

/** Returns the JSON of an event. It is the same each time, so that a repeated webhook has the same body. */
export function eventJson({ id, type, created_at, wallet, data }: RecordedEvent): string {
  return JSON.stringify({ id, type, createdAt: (created_at / 1_000n).toString(), wallet, data });
}
