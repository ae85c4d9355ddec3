/** The queue of webhooks: the rows of `event`. Only the first event of a wallet that was not delivered is sent. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { RECORDED, type RecordedEvent } from '../record.ts';
import { PROBE_MS } from './outage.ts';

/** Milliseconds until a lease expires and another process may send the event. It is longer than a delivery takes. */
export const DELIVERY_LEASE_MS = 30_000;

/** The `due_at` of an event that waits for an earlier one of its wallet. Triggers set it, and make the next event due. */
export const NEVER = 2n ** 63n - 1n;

/** An event that this process delivers. */
export interface LeasedEvent extends RecordedEvent {
  readonly owner: string;
  /** Deliveries that failed before. */
  readonly attempts: number;
}

/** Leases an event that is due, or returns null. Two processes never lease the same event, or two events of one wallet. */
export async function leaseNext(db: Kysely<Schema>, nowMs: number): Promise<LeasedEvent | null> {
  const now = BigInt(nowMs);
  const owner = randomUUID();
  const { rows } = await sql<Omit<LeasedEvent, 'owner'>>`
    update event set lease_owner = ${owner}, lease_until = ${now + BigInt(DELIVERY_LEASE_MS)}
    where id = (
      select id from event
      where delivered_at is null and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and not exists (
          select from event earlier
          where earlier.wallet = event.wallet and earlier.delivered_at is null and earlier.position < event.position
        )
      order by due_at, position
      limit 1
      for update skip locked
    )
    returning ${sql.join([...RECORDED, 'attempts'].map((column) => sql.ref(column)))}`.execute(db);
  return rows[0] ? { ...rows[0], owner } : null;
}

/** Records that the receiver accepted an event, also if its lease has expired. A trigger makes the next event of the wallet due. */
export async function recordDelivered(db: Kysely<Schema>, event: LeasedEvent, nowMs: number): Promise<void> {
  await sql`
    update event set delivered_at = ${BigInt(nowMs)}, lease_owner = null, lease_until = null
    where id = ${event.id} and delivered_at is null`.execute(db);
}

/**
 * Records that a delivery failed, and sets when to retry it. The failure does not count if the receiver is down, because it says
 * nothing about the event. Does nothing if another process leased the event since.
 */
export async function recordFailed(
  db: Kysely<Schema>,
  event: LeasedEvent,
  { nowMs, isDown }: { readonly nowMs: number; readonly isDown: boolean },
): Promise<void> {
  const delayMs = isDown ? PROBE_MS : retryDelayMs(event.attempts);
  await sql`
    update event set due_at = ${BigInt(nowMs + delayMs)}, attempts = attempts + ${isDown ? 0 : 1},
      lease_owner = null, lease_until = null
    where id = ${event.id} and lease_owner = ${event.owner}`.execute(db);
}

/** Makes events due that wait for a retry. */
export async function makeDue(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update event set due_at = 0 where id = any(${[...ids]}::text[]) and delivered_at is null`.execute(
    db,
  );
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Milliseconds from a failed delivery to the next one: the schedule of Standard Webhooks. The last delay repeats. */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The share of a delay that is added at random, so that events that failed together are not retried together. */
export const RETRY_JITTER = 0.1;

/** Returns the milliseconds to the next delivery, by the number of deliveries that failed before this one. */
function retryDelayMs(failedBefore: number): number {
  const delay = RETRY_DELAYS_MS[Math.min(failedBefore, RETRY_DELAYS_MS.length - 1)]!;
  return Math.floor(delay * (1 + Math.random() * RETRY_JITTER));
}
