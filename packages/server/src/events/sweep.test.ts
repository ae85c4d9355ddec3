import { EVENT_LIFETIME_SECONDS } from '@service/contract';
import { startWorld, type World } from '@service/server/test-service';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomAddress } from '../../test/support/service-on-chain.ts';
import { startSweeper } from '../sweeper.ts';
import { writeEvents } from './write.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ program: false });
});
afterAll(() => world.close());
beforeEach(async () => {
  await sql`truncate event`.execute(world.database.db);
});

/** Writes an event of an age in milliseconds. */
async function add(cause: string, ageMs: number): Promise<void> {
  const { db } = world.database;
  await writeEvents(db, [{ wallet: randomAddress(), type: 'credential.issued', cause, data: '{}' }]);
  await sql`update event set created_at = ${BigInt(world.clock.ms - ageMs)} where cause = ${cause}`.execute(
    db,
  );
}

const causes = async () =>
  (await world.database.db.selectFrom('event').select('cause').orderBy('cause').execute()).map(
    ({ cause }) => cause,
  );

test('deletes events after 30 days, and counts and logs those that no receiver accepted', async () => {
  const receiver = { url: 'http://127.0.0.1:9/', secrets: [] };
  const created = await world.another({ events: receiver });
  const keep = EVENT_LIFETIME_SECONDS * 1_000;
  for (const [cause, age] of [
    ['delivered', keep],
    ['lost', keep],
    ['lost too', keep],
    ['new', keep - 1],
  ] as const)
    await add(cause, age);
  await sql`update event set delivered_at = 1 where cause = 'delivered'`.execute(world.database.db);
  const from = world.logged.length;
  const sweeper = startSweeper(created.service);
  await sweeper.tick();
  await sweeper.tick();
  await sweeper.stop();
  expect(await causes()).toEqual(['new']);
  expect(world.logged.slice(from).filter((line) => line.includes('deleted an event'))).toHaveLength(2);
  const metrics = await created.service.metrics.registry.metrics();
  expect(metrics).toContain('service_event_deliveries_total{result="dropped"} 2');
});

test('without a receiver, deletes all of that age and counts none, in batches', async () => {
  const { db } = world.database;
  await sql`
    insert into event (wallet, type, cause, data, created_at)
    select 'w', 'credential.issued', n::text, '{}', 0 from generate_series(1, 1001) n`.execute(db);
  const sweeper = startSweeper(world.created.service);
  await sweeper.tick();
  await sweeper.stop();
  expect(await causes()).toEqual([]);
  const metrics = await world.created.service.metrics.registry.metrics();
  for (const result of ['delivered', 'failed', 'dropped'])
    expect(metrics).toContain(`service_event_deliveries_total{result="${result}"} 0`);
});

test('sweeps the other tables when one fails, and fails too', async () => {
  const { db } = world.database;
  await add('old', EVENT_LIFETIME_SECONDS * 1_000);
  await sql`alter table challenge rename to broken`.execute(db);
  const sweeper = startSweeper(world.created.service);
  await expect(sweeper.tick()).rejects.toThrow('challenge');
  await sql`alter table broken rename to challenge`.execute(db);
  await sweeper.stop();
  expect(await causes()).toEqual([]);
});
