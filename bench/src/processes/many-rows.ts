/** Prepares and submits operations in a database with few rows and in one with many. */
import { openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
import pg from 'pg';
import { answer } from './answer.mjs';
import {
  startChain,
  startService,
  tenAtATime,
  timePrepareAndSubmit,
  visitorsOf,
} from './service-on-chain.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const BATCH = 40;
/** One more than are measured, to warm up. */
const ROUNDS = 8;

const chain = await startChain();
const [many, few] = [await withRows(MANY), await withRows(FEW)];

answer({ ours: many, peer: few });

/** Returns a function that measures one batch in a database with this number of operations and of indexed passes. */
async function withRows(rows: number) {
  const { options } = await newTestPlace();
  const database = await openDatabase(options);
  const service = await startService(chain, database);
  await plant((options as { url: string }).url, rows);
  const visitors = visitorsOf(service, await chain.wallets(BATCH * ROUNDS));
  await tenAtATime(visitors, (visitor) => visitor.signIn());
  const next = visitors.values();
  return () => timePrepareAndSubmit(Array.from({ length: BATCH }, () => next.next().value!));
}

/**
 * Inserts finalized operations and passes of many wallets. Triggers would let no operation begin as finalized, and the
 * indexes are made after the rows, which is quicker. The connections of the service limit the time of a statement.
 */
async function plant(connectionString: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '256MB'");
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where schemaname = 'public' and tablename in ('operation', 'indexed_account')
         and indexname not in (select conname from pg_constraint)`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(
      `insert into operation (id, wallet, idempotency_key, request_hash, kind, state, rule, message,
         last_valid_block_height, draft_slot, created_at, expires_at, signature, signed_at, slot)
       select lpad(to_hex(n), 8, '0') || '-0000-4000-8000-000000000000', 'wallet' || n % 100000, 'key' || n, md5(n::text),
         'CREATE_RULE_SET', 'FINALIZED', 'rule' || n, decode(repeat(md5(n::text), 20), 'hex'), 1000 + n, 1000 + n,
         1760000000000 + n, 1760000060000 + n, 'signature' || n, 1760000000000 + n, 1000 + n
       from generate_series(1, ${rows}) n`,
    );
    await client.query(
      `insert into indexed_account (address, kind, wallet, rule, verifier, circuit, commitment, issued_at, expires_at, data,
         lamports, slot)
       select 'address' || n, 'pass', 'wallet' || n % 100000, 'rule' || n % 1000, 'verifier', 'circuit',
         decode(md5(n::text), 'hex'), 1700000000 + n, 1900000000 + n, decode(repeat(md5(n::text), 10), 'hex'), 2303760, 1000 + n
       from generate_series(1, ${rows}) n`,
    );
    for (const { definition } of indexes) await client.query(definition);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
