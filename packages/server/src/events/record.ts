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

/** An event in the order of commits, as it was written. */
export type EventPlace = Pick<RecordedEvent, 'id' | 'position' | 'created_at'>;

/** The place before every event. */
export const OLDEST: EventPlace = { id: 'oldest', position: 0n, created_at: 0n };

/** Returns the id of a place, which a stream sends and a reader resumes with. */
export function placeId({ id, created_at }: EventPlace): string {
  return id === OLDEST.id ? id : `${id}-${created_at}`;
}

/** Returns the place of the newest event of a wallet, or of all wallets if it is null; OLDEST if there is none. */
export async function newestPlace(db: Kysely<Schema>, wallet: string | null): Promise<EventPlace> {
  const newest = await places(db, wallet).orderBy('position', 'desc').limit(1).executeTakeFirst();
  return newest ?? OLDEST;
}

/**
 * Returns the place with an id; OLDEST if the event was deleted or written again, or if it is not of the wallet, so that the
 * reader gets every event that is kept.
 */
export async function placeOf(
  db: Kysely<Schema>,
  { id, wallet }: { id: string; wallet: string | null },
): Promise<EventPlace> {
  const place = await places(db, wallet).where('id', '=', id.split('-')[0]!).executeTakeFirst();
  return place && placeId(place) === id ? place : OLDEST;
}

function places(db: Kysely<Schema>, wallet: string | null) {
  const query = db.selectFrom('event').select(['id', 'position', 'created_at']);
  return wallet === null ? query : query.where('wallet', '=', wallet as RecordedEvent['wallet']);
}
