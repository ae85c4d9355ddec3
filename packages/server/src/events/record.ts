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

/** An event in the order of commits. */
export type EventPlace = Pick<RecordedEvent, 'id' | 'position'>;

/** The place before every event. Readers send its id to get every event that is kept. */
export const OLDEST: EventPlace = { id: 'oldest', position: 0n };

/** Returns the place of the newest event of a wallet, or of all wallets if it is null; OLDEST if there is none. */
export async function newestPlace(db: Kysely<Schema>, wallet: string | null): Promise<EventPlace> {
  const newest = await places(db, wallet).orderBy('position', 'desc').limit(1).executeTakeFirst();
  return newest ?? OLDEST;
}

/**
 * Returns the place of an event; OLDEST if it was deleted, or if it is not of the wallet, so that the reader gets every event
 * that is kept.
 */
export async function placeOf(
  db: Kysely<Schema>,
  { id, wallet }: { id: string; wallet: string | null },
): Promise<EventPlace> {
  return (await places(db, wallet).where('id', '=', id).executeTakeFirst()) ?? OLDEST;
}

function places(db: Kysely<Schema>, wallet: string | null) {
  const query = db.selectFrom('event').select(['id', 'position']);
  return wallet === null ? query : query.where('wallet', '=', wallet as RecordedEvent['wallet']);
}
