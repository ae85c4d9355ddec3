/** Reads events, and writes them in the form of the wire. */
import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { EventTable } from './tables.ts';

/** The columns of an event that the wire has, and its position. */
export type RecordedEvent = Pick<
  Selectable<EventTable>,
  'id' | 'position' | 'wallet' | 'type' | 'created_at' | 'data'
>;

/** The columns of a RecordedEvent. */
export const RECORDED = ['id', 'position', 'wallet', 'type', 'created_at', 'data'] as const;

/** Returns the JSON of an event. It is the same each time, so that a repeated webhook has the same body. */
export function eventJson({ id, type, created_at, wallet, data }: RecordedEvent): string {
  return JSON.stringify({ id, type, createdAt: (created_at / 1_000n).toString(), wallet, data });
}

/** A page of events. */
export interface EventPage {
  /** The position before the first event. */
  readonly after: bigint;
  /** The wallet whose events they are; null for those of all wallets. */
  readonly wallet: string | null;
  readonly limit: number;
}

/** Returns the events after a position, in the order of their commits. */
export function readEvents(
  db: Kysely<Schema>,
  { after, wallet, limit }: EventPage,
): Promise<RecordedEvent[]> {
  let query = db.selectFrom('event').select(RECORDED).where('position', '>', after);
  if (wallet !== null) query = query.where('wallet', '=', wallet as RecordedEvent['wallet']);
  return query.orderBy('position').limit(limit).execute();
}

/** Returns the position of the newest event, or 0. */
export async function newestPosition(db: Kysely<Schema>): Promise<bigint> {
  const newest = await db
    .selectFrom('event')
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.position ?? 0n;
}

/**
 * Returns the position of an event; 0 if it was deleted, or if it is not of the wallet, so that the reader gets every event
 * that is kept.
 */
export async function positionOf(
  db: Kysely<Schema>,
  { id, wallet }: { id: string; wallet: string | null },
): Promise<bigint> {
  let query = db.selectFrom('event').select('position').where('id', '=', id);
  if (wallet !== null) query = query.where('wallet', '=', wallet as RecordedEvent['wallet']);
  return (await query.executeTakeFirst())?.position ?? 0n;
}
