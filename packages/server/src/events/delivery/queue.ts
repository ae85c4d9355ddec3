/** The queue of webhooks: the rows of `event`. Only the first event of a wallet that was not delivered is sent. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { RECORDED, type RecordedEvent } from '../record.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** Milliseconds until a lease expires and another process may send the event. It is longer than a delivery takes. */
export const DELIVERY_LEASE_MS = 30_000;

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

/** Records that the receiver accepted an event, also if its lease has expired. The next event of the wallet is due then. */
export async function recordDelivered(db: Kysely<Schema>, event: LeasedEvent, nowMs: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      update event set delivered_at = ${BigInt(nowMs)}, lease_owner = null, lease_until = null
      where id = ${event.id} and delivered_at is null`.execute(trx);
    // This is a separate statement, so that it also finds an event whose commit the previous statement waited for.
    await sql`
      update event set due_at = 0 where id = (
        select id from event
        where wallet = ${event.wallet} and delivered_at is null and position > ${event.position}
        order by position limit 1
      )`.execute(trx);
  });
}

/**
 * Records that a delivery failed, and sets when to retry it. The later events of the wallet wait at least as long, so that
 * `leaseNext` does not look at them. Does nothing if another process leased the event since.
 */
export async function recordFailed(db: Kysely<Schema>, event: LeasedEvent, nowMs: number): Promise<void> {
  const dueAt = BigInt(nowMs + retryDelayMs(event.attempts));
  await sql`
    with failed as (
      update event set due_at = ${dueAt}, attempts = attempts + 1, lease_owner = null, lease_until = null
      where id = ${event.id} and lease_owner = ${event.owner}
      returning wallet
    )
    update event set due_at = ${dueAt}
    where wallet = (select wallet from failed) and delivered_at is null and position > ${event.position}
      and due_at < ${dueAt}`.execute(db);
}
