/** Where a stream begins, and begins again after the database has lost events. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { BACKEND, cookie, namesOf, streamService } from '../../../test/support/events/stream-service.ts';
import { newestPlace } from '../record.ts';

const service = streamService();
const { add, open, openStreams, poll, request } = service;

/** Deletes the newest events and their positions, as a standby that had not received them. */
async function loseAfter(position: bigint): Promise<void> {
  const { db } = service.world.database;
  await db.deleteFrom('event').where('position', '>', position).execute();
  await sql`select setval('event_position', ${position})`.execute(db);
}

describe('the first block of a stream', () => {
  test('has the id of the newest event of its audience, and no data', async () => {
    const [ofAlice] = await add(service.alice, 'a');
    const [ofBob] = await add(service.bob, 'b');
    for (const [headers, id] of [
      [cookie(service.alice), ofAlice],
      [cookie(service.bob), ofBob],
      [BACKEND, ofBob],
      [{ ...BACKEND, 'Last-Event-ID': ofAlice! }, ofAlice],
      [{ ...cookie(service.alice), 'Last-Event-ID': ofBob! }, 'oldest'],
      [{ ...BACKEND, 'Last-Event-ID': `evt_${'0'.repeat(32)}-1` }, 'oldest'],
      [{ ...BACKEND, 'Last-Event-ID': 'oldest' }, 'oldest'],
    ] as const) {
      const reader = (await request(headers)).body!.getReader();
      const { value } = await reader.read();
      expect(new TextDecoder().decode(value)).toBe(`retry: 3000\nid: ${id}\n\n`);
      await reader.cancel();
    }
  });

  test.each([
    ['an event', ['old']],
    ['no event', []],
  ])(
    'lets a reader that had %s resume without a loss, if it was disconnected before the first new one',
    async (_what, old) => {
      await add(service.alice, ...old);
      await open(BACKEND);
      const stream = await open(cookie(service.alice));
      await stream.read();
      await stream.cancel();
      await add(service.bob, 'of bob');
      await add(service.alice, 'between');
      await poll();
      const resumed = await open({ ...cookie(service.alice), 'Last-Event-ID': stream.lastEventId });
      await add(service.alice, 'new');
      await poll();
      expect(namesOf(await resumed.readUntil(2))).toEqual(['between', 'new']);
    },
  );
});

describe('after a failover that lost events', () => {
  test.each([
    ['fewer', ['new']],
    ['more', ['new', 'more', 'and more', 'than were lost']],
  ])(
    'streams end, and resume with the new events, of which there are %s than were lost',
    async (_what, names) => {
      const [kept] = await add(service.alice, 'kept');
      const { position } = await newestPlace(service.world.database.db, null);
      const stream = await open(BACKEND);
      await add(service.alice, 'lost', 'lost too');
      await poll();
      expect(namesOf(await stream.readUntil(2))).toEqual(['lost', 'lost too']);
      await loseAfter(position);
      await add(service.bob, ...names);
      const logged = service.world.logged.length;
      await poll();
      await poll();
      await stream.readToEnd();
      const lines = service.world.logged.slice(logged).filter((line) => line.includes('no longer has'));
      expect(lines.map((line) => JSON.parse(line).eventId)).toEqual([stream.lastEventId.split('-')[0]]);
      expect(await openStreams()).toBe(0);
      const unknown = await open({ ...BACKEND, 'Last-Event-ID': stream.lastEventId });
      const known = await open({ ...BACKEND, 'Last-Event-ID': kept! });
      await add(service.bob, 'last');
      await poll();
      expect(namesOf(await unknown.readUntil(names.length + 2))).toEqual(['kept', ...names, 'last']);
      expect(namesOf(await known.readUntil(names.length + 1))).toEqual([...names, 'last']);
    },
  );

  test('a reader misses nothing if its last event is written again after others, at the same position', async () => {
    await add(service.alice, 'kept');
    const { position } = await newestPlace(service.world.database.db, null);
    const stream = await open(BACKEND);
    await add(service.alice, 'lost', 'again');
    await poll();
    await stream.readUntil(2);
    await loseAfter(position);
    await add(service.bob, 'new');
    const [again] = await add(service.alice, 'again');
    expect(again!.split('-')[0]).toBe(stream.lastEventId.split('-')[0]);
    // Otherwise both could have been written in the same millisecond.
    await sql`update event set created_at = created_at + 1000`.execute(service.world.database.db);
    await poll();
    await stream.readToEnd();
    const resumed = await open({ ...BACKEND, 'Last-Event-ID': stream.lastEventId });
    expect(namesOf(await resumed.readUntil(3))).toEqual(['kept', 'new', 'again']);
  });
});
