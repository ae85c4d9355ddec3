/** Prepares and submits operations, and replays their SQL on a copy of the database as it was before. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
import type { Visitor } from '@service/test-support/service';
import pg from 'pg';
import { answer, timed } from './answer.mjs';
import {
  startChain,
  startService,
  tenAtATime,
  timePrepareAndSubmit,
  visitorsOf,
} from './service-on-chain.ts';

const BATCH = 40;
/** One more than are measured, to warm up. */
const ROUNDS = 8;

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs with the list that notes the statements of one operation. */
const noting = new AsyncLocalStorage<Statement[]>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const [first, values = []] = parameters as [string | Statement, unknown[]?];
  noting.getStore()?.push(typeof first === 'string' ? { text: first, values } : first);
  return (query as (...all: unknown[]) => unknown).apply(this, parameters);
} as typeof query;

const chain = await startChain();
const place = await newTestPlace();
const { url } = place.options as { url: string };
let database = await openDatabase(place.options);
const first = await startService(chain, database);
const signers = await chain.wallets(BATCH * ROUNDS);
const signedIn = visitorsOf(first, signers);
await tenAtATime(signedIn, (visitor) => visitor.signIn());
await first.close();
await database.close();
// PostgreSQL copies a database that nobody is connected to.
const copy = new URL(url);
copy.pathname = `${copy.pathname}_copy`;
const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
await admin.connect();
await admin.query(`create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`);
await admin.end();
database = await openDatabase(place.options);
const service = await startService(chain, database);
const visitors = visitorsOf(service, signers);
for (const [index, visitor] of visitors.entries()) visitor.cookie = signedIn[index]!.cookie;
// As many connections as the service has.
const replay = new pg.Pool({ connectionString: copy.href, max: 10 });

let operations = new Map<Visitor, Statement[]>();
const next = visitors.values();
const take = (): Visitor[] => Array.from({ length: BATCH }, () => next.next().value!);

answer({
  /** Milliseconds per operation, with ten at a time. */
  ours() {
    const batch = take();
    operations = new Map(batch.map((visitor) => [visitor, []]));
    return timePrepareAndSubmit(batch, (visitor, request) => noting.run(operations.get(visitor)!, request));
  },
  /** The same for the statements alone. */
  async peer() {
    const { value, cpu } = await timed(() =>
      tenAtATime([...operations.values()], async (statements) => {
        const client = await replay.connect();
        try {
          for (const { text, values } of statements) await client.query(text, [...values]);
        } finally {
          client.release();
        }
      }),
    );
    const queued = "select count(*)::int as count from operation where state = 'QUEUED'";
    const [{ rows: ours }, { rows: replayed }] = await Promise.all([
      database.pool!.query(queued),
      replay.query(queued),
    ]);
    if (ours[0].count !== replayed[0].count)
      throw new Error(`The replay queued ${replayed[0].count} operations, and the service ${ours[0].count}.`);
    return { value: value / BATCH, cpu: cpu / BATCH };
  },
});
