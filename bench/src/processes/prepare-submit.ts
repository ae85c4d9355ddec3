/** Prepares and submits operations, and replays their SQL on a copy of the database as it was before. */
import { openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
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
/** Rounds before the database is copied. V8 optimizes the code of a service over its first thousand requests. */
const WARM_UP = 12;

/** The statements since the last measurement of the service began, in their order. */
let noted: pg.QueryConfig[] = [];
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const [first, values] = parameters as [string | pg.QueryConfig, unknown[]?];
  noted.push(typeof first === 'string' ? { text: first, ...(values && { values }) } : { ...first });
  return (query as (...all: unknown[]) => unknown).apply(this, parameters);
} as typeof query;

const chain = await startChain();
const place = await newTestPlace();
const { url } = place.options as { url: string };
let database = await openDatabase(place.options);
const first = await startService(chain, database);
const signers = await chain.wallets(BATCH * (WARM_UP + ROUNDS));
const signedIn = visitorsOf(first, signers);
await tenAtATime(signedIn, (visitor) => visitor.signIn());
for (let round = 0; round < WARM_UP; round++) await timePrepareAndSubmit(signedIn.splice(0, BATCH));
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
const visitors = visitorsOf(service, signers.slice(-signedIn.length));
for (const [index, visitor] of visitors.entries()) visitor.cookie = signedIn[index]!.cookie;
// As many connections as the service has.
const replay = Array.from({ length: 10 }, () => new pg.Client({ connectionString: copy.href }));
await Promise.all(replay.map((client) => client.connect()));

const next = visitors.values();

answer({
  /** Milliseconds per operation, with ten at a time. */
  ours() {
    noted = [];
    return timePrepareAndSubmit(Array.from({ length: BATCH }, () => next.next().value!));
  },
  /** The same for the statements alone. */
  async peer() {
    // The list is emptied, because it notes the replayed statements too.
    const statements = noted.splice(0).values();
    const { value, cpu } = await timed(() =>
      Promise.all(
        replay.map(async (client) => {
          for (const statement of statements) await client.query(statement);
        }),
      ),
    );
    const signed = 'select count(*)::int as count from operation where signature is not null';
    const [{ rows: ours }, { rows: replayed }] = await Promise.all([
      database.pool!.query(signed),
      replay[0]!.query(signed),
    ]);
    if (ours[0].count !== replayed[0].count)
      throw new Error(
        `The replay has ${replayed[0].count} signed operations, and the service has ${ours[0].count}.`,
      );
    return { value: value / BATCH, cpu: cpu / BATCH };
  },
});
