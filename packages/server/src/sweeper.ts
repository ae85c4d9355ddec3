/** The sweeper: deletes rows that are no longer needed. */
import { EVENT_LIFETIME_SECONDS, REVIEW_SECONDS } from '@service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Schema } from './database/schema.ts';
import { type Background, startBackground } from './lib/background.ts';
import type { Service } from './service.ts';
import { isUnreported } from './verification/sessions.ts';

const INTERVAL_MS = 10 * 60 * 1_000;
/** Rows that one statement deletes, because it keeps their locks until it ends. */
const BATCH = 500;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Keeps an expired session for a time, so that its cookie gets SESSION_EXPIRED and not AUTHENTICATION_REQUIRED. */
const KEEP_EXPIRED_SESSIONS_MS = 7 * DAY_MS;

/**
 * Keeps an EXPIRED draft for a time, so that its idempotency key returns the same operation. After that the key is free again,
 * and the operation is NOT_FOUND. Such a draft was never signed or sent.
 */
export const KEEP_EXPIRED_DRAFTS_MS = DAY_MS;

/** Keeps an incomplete verification session for a time after it expires. */
export const KEEP_ABANDONED_MS = DAY_MS;

/** Keeps one that the verifier reviews until it accepts no result any more, and as long again as the others. */
export const KEEP_REVIEWED_MS = REVIEW_SECONDS * 1_000 + DAY_MS;

/**
 * Keeps the id of a webhook message for a time, so that a repeat changes nothing. The timestamp check rejects a copy after ten
 * minutes at most. The verifier itself may retry an id under a new timestamp; the schedule of Standard Webhooks ends after
 * about three days.
 */
export const KEEP_DELIVERIES_MS = 7 * DAY_MS;

/** Rows of a table that are deleted `keepMs` after their time, in Unix milliseconds. */
interface Leftovers {
  readonly table: keyof Schema;
  /** The primary key of the table. */
  readonly key: string;
  readonly time: string;
  readonly keepMs: number;
  /** The rows that may be deleted. @default all */
  readonly where?: RawBuilder<boolean>;
  /** Called with the keys of deleted rows. */
  readonly onDeleted?: (service: Service, keys: readonly string[]) => void;
}

const EVENTS = {
  table: 'event',
  key: 'id',
  time: 'created_at',
  keepMs: EVENT_LIFETIME_SECONDS * 1_000,
} as const;

const LEFTOVERS: readonly Leftovers[] = [
  { table: 'challenge', key: 'id', time: 'expires_at', keepMs: 0 },
  { table: 'session', key: 'token_hash', time: 'expires_at', keepMs: KEEP_EXPIRED_SESSIONS_MS },
  {
    table: 'operation',
    key: 'id',
    time: 'expires_at',
    keepMs: KEEP_EXPIRED_DRAFTS_MS,
    where: sql`state = 'EXPIRED'`,
  },
  {
    table: 'verification_session',
    key: 'id',
    time: 'expires_at',
    keepMs: KEEP_ABANDONED_MS,
    where: sql`${isUnreported} and pending_at is null`,
  },
  {
    table: 'verification_session',
    key: 'id',
    time: 'expires_at',
    keepMs: KEEP_REVIEWED_MS,
    where: isUnreported,
  },
  { table: 'webhook_delivery', key: 'id', time: 'received_at', keepMs: KEEP_DELIVERIES_MS },
  { ...EVENTS, where: sql`delivered_at is null`, onDeleted: reportLost },
  { ...EVENTS, where: sql`delivered_at is not null` },
];

/** Starts to delete rows every ten minutes, in batches. If one table fails, the others are still swept. */
export function startSweeper(service: Service): Background {
  return startBackground(service, {
    name: 'sweeper',
    intervalMs: INTERVAL_MS,
    async step(signal) {
      const failures: unknown[] = [];
      for (const leftovers of LEFTOVERS) {
        await removeAll(service, leftovers, signal).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  });
}

async function removeAll(service: Service, leftovers: Leftovers, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; ) {
    const keys = await remove(service, leftovers);
    leftovers.onDeleted?.(service, keys);
    deleted = keys.length;
  }
}

/** Deletes one batch. Returns the keys of its rows. Skips locked rows, because their change may keep them. */
async function remove(
  { db, clock }: Service,
  { table, key, time, keepMs, where = sql`true` }: Leftovers,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)}
      where ${sql.ref(time)} <= ${BigInt(clock.now() - keepMs)} and ${where} limit ${BATCH}
      for update skip locked
    )
    returning ${sql.ref(key)} as key`.execute(db);
  return rows.map((row) => row.key);
}

/** Logs and counts events that the receiver never accepted. */
function reportLost({ log, metrics, settings }: Service, ids: readonly string[]): void {
  if (!settings.events) return;
  for (const id of ids) {
    metrics.countDelivery('dropped');
    log.error({ eventId: id }, 'deleted an event that its receiver did not accept in 30 days');
  }
}
