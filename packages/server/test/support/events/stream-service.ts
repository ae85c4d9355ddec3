/** A service with event streams, for the tests of a file. Each test begins without events and without streams. */
import { startWorld, type Visitor, type World } from '@service/server/test-service';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { placeId } from '../../../src/events/record.ts';
import { writeEvents } from '../../../src/events/write.ts';
import { readStream, type StreamReader } from './stream-reader.ts';

const TOKEN = 'the-token-of-the-backend-of-a-dapp';

/** The headers of the backend. */
export const BACKEND = { Authorization: `Bearer ${TOKEN}` };

/** Returns the headers of a visitor. */
export const cookie = (visitor: Visitor) => ({ Cookie: visitor.cookie! });

/** Returns the names that `add` gave to the events of messages. */
export const namesOf = (messages: readonly { data: { data: Record<string, unknown> } }[]) =>
  messages.map(({ data }) => data.data.name);

/** Starts the service before the tests of a file, and closes it after them. */
export function streamService() {
  let world!: World;
  let visitors: Visitor[] = [];
  const streams: StreamReader[] = [];
  beforeAll(async () => {
    world = await startWorld({ program: false, events: { token: TOKEN } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    for (const stream of streams.splice(0)) await stream.cancel().catch(() => undefined);
    await sql`truncate event`.execute(world.database.db);
    visitors = [await (await world.visitor()).signIn(), await (await world.visitor()).signIn()];
  });

  const request = (headers: Record<string, string>, query = '', method = 'GET') =>
    world.created.app.request(`/api/events${query}`, { method, headers });
  return {
    /** The readers that the test opened. */
    streams,
    get world() {
      return world;
    },
    get alice() {
      return visitors[0]!;
    },
    get bob() {
      return visitors[1]!;
    },
    request,
    poll: () => world.created.service.streams.poll(),
    /** Moves the clock to the next heartbeat. */
    async beat(ms: number) {
      world.clock.ms += ms;
      await world.created.service.streams.beat();
    },
    async open(headers: Record<string, string>, query = ''): Promise<StreamReader> {
      const stream = readStream(await request(headers, query));
      streams.push(stream);
      return stream;
    },
    /** Returns how many streams are open. */
    async openStreams() {
      const { registry } = world.created.service.metrics;
      return (await registry.getSingleMetric('service_event_streams')!.get()).values[0]?.value;
    },
    /** Writes events with these names. Returns the ids of their messages. */
    async add(visitor: { address: string }, ...names: string[]): Promise<string[]> {
      const { db } = world.database;
      const events = names.map((name) => ({
        wallet: visitor.address as never,
        type: 'credential.issued' as const,
        cause: `${visitor.address} ${name}`,
        data: JSON.stringify({ name }),
      }));
      await writeEvents(db, events);
      const rows = await db.selectFrom('event').select(['id', 'position', 'created_at', 'cause']).execute();
      const ids = new Map(rows.map((row) => [row.cause, placeId(row)]));
      return events.map(({ cause }) => ids.get(cause)!);
    },
  };
}
