/** A reader that is slower than the events gets each of them once and in order, as long as it reads at all. */
import { describe, expect, test } from 'vitest';
import { readStream } from '../../../test/support/events/stream-reader.ts';
import { BACKEND, cookie, namesOf, streamService } from '../../../test/support/events/stream-service.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';
import { HEARTBEAT_MS } from './event-streams.ts';
import { MAX_BUFFERED_BYTES } from './stream.ts';

const service = streamService();
const { add, beat, open, openStreams, poll, request } = service;

const LARGE = 'x'.repeat(8_192);
/** Returns the names of events that fill the buffer this many times. */
const largeNames = (fills: number) =>
  Array.from(
    { length: Math.ceil((fills * MAX_BUFFERED_BYTES) / LARGE.length) },
    (_, index) => `${index} ${LARGE}`,
  );

describe('a stream that catches up', () => {
  test('has every event once, in order, while others are written and polled', async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `${index}`);
    await add(service.alice, ...names.slice(0, 1_100));
    await open(BACKEND);
    const stream = await open(BACKEND, '?after=oldest');
    const reading = stream.readUntil(1_200);
    for (let start = 1_100; start < 1_200; start += 10) {
      await add(service.alice, ...names.slice(start, start + 10));
      await poll();
    }
    expect(namesOf(await reading)).toEqual(names);
  });

  test('has an event that a poll sees before the stream has caught up', async () => {
    // The buffer is full, so the stream waits for its reader.
    const old = largeNames(1.25);
    await add(service.alice, ...old);
    const stream = await open(BACKEND, '?after=oldest');
    await add(service.alice, 'between');
    await poll();
    expect(namesOf(await stream.readUntil(old.length + 1))).toEqual([...old, 'between']);
  });

  test('has an event once that it read before the poll', async () => {
    await open(BACKEND);
    await add(service.alice, 'early');
    const stream = await open(BACKEND, '?after=oldest');
    await stream.readUntil(1);
    await add(service.alice, 'late');
    await poll();
    expect(namesOf(await stream.readUntil(2))).toEqual(['early', 'late']);
  });

  test('has at most its buffer in memory', async () => {
    await add(service.alice, ...largeNames(3));
    const stream = await open(cookie(service.alice), '?after=oldest');
    await stream.readUntil(1);
    await service.alice.post('/api/auth/logout', {});
    await beat(HEARTBEAT_MS);
    await stream.readToEnd();
    expect(stream.messages.length * LARGE.length).toBeLessThan(MAX_BUFFERED_BYTES + 2 * LARGE.length);
  });

  test('gets no further page after its wallet signs out', async () => {
    const names = Array.from({ length: 5 * CATCH_UP_PAGE }, (_, index) => `${index} ${LARGE}`);
    await add(service.alice, ...names);
    const stream = await open(cookie(service.alice), '?after=oldest');
    await stream.readUntil(1);
    await service.alice.post('/api/auth/logout', {});
    await stream.readToEnd();
    expect(namesOf(stream.messages)).toEqual(names.slice(0, CATCH_UP_PAGE));
    expect(await openStreams()).toBe(0);
  });
});

describe('a burst that is larger than the buffer', () => {
  test('reaches readers once and in order, with the events during and after it', async () => {
    const burst = largeNames(3);
    const all = await open(BACKEND);
    const own = await open(cookie(service.alice));
    await add(service.bob, 'of bob');
    await add(service.alice, ...burst);
    await poll();
    await add(service.alice, 'during');
    await poll();
    const expected = [...burst, 'during'];
    expect(namesOf(await own.readUntil(expected.length))).toEqual(expected);
    expect(namesOf(await all.readUntil(expected.length + 1))).toEqual(['of bob', ...expected]);
    await add(service.bob, 'of bob, after it');
    await add(service.alice, 'after it');
    await poll();
    expect(namesOf(await own.readUntil(expected.length + 1)).slice(-1)).toEqual(['after it']);
    expect(namesOf(await all.readUntil(expected.length + 3)).slice(-2)).toEqual([
      'of bob, after it',
      'after it',
    ]);
  });

  test('reaches a reader that takes a little between two heartbeats', async () => {
    const burst = largeNames(3);
    const stream = await open(BACKEND);
    await add(service.alice, ...burst);
    await poll();
    for (let beats = 0; beats < 4; beats += 1) {
      await beat(HEARTBEAT_MS);
      expect(await stream.read()).toBe(true);
    }
    expect(namesOf(await stream.readUntil(burst.length))).toEqual(burst);
    // Nothing was sent besides the events while there was no room.
    expect(stream.comments.length).toBeLessThan(4);
  });

  test('cuts a reader that takes nothing, which resumes without a loss, and serves the others', async () => {
    const burst = largeNames(3);
    const silent = await request(BACKEND);
    const fast = await open(BACKEND);
    await add(service.alice, ...burst);
    await poll();
    expect(namesOf(await fast.readUntil(burst.length))).toEqual(burst);
    await beat(HEARTBEAT_MS);
    expect(await openStreams()).toBe(2);
    await beat(HEARTBEAT_MS);
    expect(await openStreams()).toBe(1);
    await expect(readStream(silent).readToEnd()).rejects.toThrow('cut');
    const resumed = await open({ ...BACKEND, 'Last-Event-ID': fast.messages[2]!.id });
    expect(namesOf(await resumed.readUntil(burst.length - 3))).toEqual(burst.slice(3));
  });
});
