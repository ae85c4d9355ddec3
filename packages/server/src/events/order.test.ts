/** Positions are in the order of commits, so a reader that continues after a position misses nothing. */
import { type Kysely, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { readEvents } from '../../test/support/events/read-events.ts';
import { randomAddress } from '../../test/support/service-on-chain.ts';
import { newSignal } from '../../test/support/signal.ts';
import { databaseOfFile } from '../../test/support/test-database.ts';
import type { Schema } from '../database/schema.ts';
import { leaseNext, RETRY_DELAYS_MS, recordDelivered, recordFailed } from './delivery/queue.ts';
import { redeliver } from './delivery/redeliver.ts';
import type { RecordedEvent } from './record.ts';
import { writeEvents } from './write.ts';

const database = databaseOfFile();
const wallet = randomAddress();

const write = (db: Kysely<Schema>, cause: string, of = wallet) =>
  writeEvents(db, [{ wallet: of, type: 'credential.issued', cause, data: JSON.stringify({ cause }) }]);
const causesOf = (events: readonly RecordedEvent[]) =>
  events.map(({ data }) => (data as { cause: string }).cause);
const newest = async () => (await readEvents(database)).at(-1)?.position ?? 0n;
const readAfter = (after: bigint) => readEvents(database, { after });

test('an event has its position at the commit, and one cause has one event', async () => {
  const before = await newest();
  await database.db.transaction().execute(async (trx) => {
    await write(trx, 'first');
    await write(trx, 'second');
    await write(trx, 'first');
  });
  await write(database.db, 'second');
  await write(database.db, 'third');
  const events = await readAfter(before);
  expect(causesOf(events)).toEqual(['first', 'second', 'third']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
});

test('an event that is written again, as after a restore, has the same id', async () => {
  const idOf = async () => {
    await write(database.db, 'restored');
    const [event] = await sql<{ id: string }>`
      delete from event where cause = 'restored' returning id`
      .execute(database.db)
      .then(({ rows }) => rows);
    return event!.id;
  };
  const id = await idOf();
  expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(await idOf()).toBe(id);
});

describe.runIf(process.env.TEST_DATABASE_URL)('with transactions that overlap', () => {
  test('the position of the transaction that commits later is higher, although it began and wrote first', async () => {
    const start = await newest();
    const [written, resumed] = [newSignal(), newSignal()];
    const slow = database.db.transaction().execute(async (trx) => {
      await write(trx, 'slow');
      written.reach();
      await resumed.reached;
    });
    await written.reached;
    await write(database.db, 'fast');
    const seen = await readAfter(start);
    expect(causesOf(seen)).toEqual(['fast']);
    resumed.reach();
    await slow;
    expect(causesOf(await readAfter(seen.at(-1)!.position))).toEqual(['slow']);
  });

  test('an event that is committed while the one before it is delivered is due at once', async () => {
    const of = randomAddress();
    await sql`truncate event`.execute(database.db);
    await write(database.db, 'delivered', of);
    const failed = await leaseNext(database.db, 0);
    await recordFailed(database.db, failed!, { nowMs: 0, isDown: false });
    const later = RETRY_DELAYS_MS[0]! * 2;
    const delivered = await leaseNext(database.db, later);
    const other = await database.another();
    let recorded: Promise<void> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await write(trx, 'late', of);
      await sql`set constraints all immediate`.execute(trx);
      recorded = recordDelivered(database.db, delivered!, later);
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
        expect(rows).toHaveLength(1);
      });
    });
    await recorded;
    expect(await leaseNext(database.db, 0)).toMatchObject({ data: { cause: 'late' } });
  });

  test('an event does not wait for a delivery of its wallet', async () => {
    const of = randomAddress();
    await sql`truncate event`.execute(database.db);
    await write(database.db, 'delivered', of);
    const failed = await leaseNext(database.db, 0);
    await recordFailed(database.db, failed!, { nowMs: 0, isDown: false });
    const other = await database.another();
    await other.db.transaction().execute(async (trx) => {
      await sql`update event set delivered_at = 1 where cause = 'delivered'`.execute(trx);
      await write(database.db, 'late', of);
    });
    expect(await leaseNext(database.db, 0)).toMatchObject({ data: { cause: 'late' } });
  });

  /** Resolves when a statement waits for a lock of another transaction. */
  const untilBlocked = (db: Kysely<Schema>) =>
    vi.waitFor(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(db);
      expect(rows.length).toBeGreaterThan(0);
    });

  test('events that are sent again twice at the same time stay due', async () => {
    const of = randomAddress();
    await sql`truncate event`.execute(database.db);
    for (const cause of ['first', 'second']) await write(database.db, cause, of);
    await sql`update event set delivered_at = 1`.execute(database.db);
    const other = await database.another();
    let again: Promise<number> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await redeliver({ db: trx, clock: { now: () => 1 } }, 0n);
      again = redeliver({ db: database.db, clock: { now: () => 1 } }, 0n);
      await untilBlocked(trx);
    });
    expect(await again).toBe(0);
    expect(await leaseNext(database.db, 0)).toMatchObject({ data: { cause: 'first' } });
  });

  test('an event that is sent again while the one before it is delivered is due', async () => {
    const of = randomAddress();
    await sql`truncate event`.execute(database.db);
    for (const cause of ['first', 'second']) await write(database.db, cause, of);
    await sql`update event set delivered_at = 1 where cause = 'second'`.execute(database.db);
    const first = await leaseNext(database.db, 0);
    const other = await database.another();
    let again: Promise<number> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await recordDelivered(trx, first!, 2);
      again = redeliver({ db: database.db, clock: { now: () => 1 } }, 0n);
      await Promise.race([again, untilBlocked(trx)]);
    });
    expect(await again).toBe(1);
    expect(await leaseNext(database.db, 0)).toMatchObject({ data: { cause: 'second' } });
  });

  test('an event is due when two transactions delete those before it', async () => {
    const of = randomAddress();
    await sql`truncate event`.execute(database.db);
    for (const cause of ['first', 'second', 'third']) await write(database.db, cause, of);
    const remove = (db: Kysely<Schema>, cause: string) =>
      sql`delete from event where cause = ${cause}`.execute(db);
    const other = await database.another();
    let first: Promise<unknown> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await remove(trx, 'second');
      first = remove(database.db, 'first');
      await untilBlocked(trx);
    });
    await first;
    expect(await leaseNext(database.db, 0)).toMatchObject({ data: { cause: 'third' } });
  });

  test('a reader that polls all the time gets each event once, in the order of the wallet', async () => {
    const wallets = Array.from({ length: 3 }, randomAddress);
    const start = await newest();
    const seen: RecordedEvent[] = [];
    let isDone = false;
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = isDone;
        seen.push(...(await readAfter(seen.at(-1)?.position ?? start)));
      }
    })();
    // The commits of a wallet follow each other, each in its own transaction, and those of the wallets overlap.
    await Promise.all(
      wallets.map(async (of, lane) => {
        for (let count = 0; count < 60; count += 1) {
          await database.db.transaction().execute(async (trx) => {
            await write(trx, `${lane}:${count}`, of);
            await write(trx, `${lane}:${count}b`, of);
          });
        }
      }),
    );
    isDone = true;
    await reading;
    for (const [lane, of] of wallets.entries()) {
      const own = causesOf(seen.filter((event) => event.wallet === of));
      expect(own).toEqual(
        Array.from({ length: 60 }, (_, count) => [`${lane}:${count}`, `${lane}:${count}b`]).flat(),
      );
    }
  });
});
