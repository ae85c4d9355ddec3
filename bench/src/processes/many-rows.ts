/** Prepares and submits operations in a database with few rows and in one with many. */
import { type Database, openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
import { answer, timed } from './answer.mjs';
import { prepareAndSubmit, startChain, startService, tenAtATime, visitorsOf } from './service-on-chain.ts';

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
  await plant(database, rows);
  const visitors = visitorsOf(service, await chain.wallets(BATCH * ROUNDS));
  await tenAtATime(visitors, (visitor) => visitor.signIn());
  const next = visitors.values();
  return async () => {
    const batch = Array.from({ length: BATCH }, () => next.next().value!);
    const { value, cpu } = await timed(() => tenAtATime(batch, prepareAndSubmit));
    return { value: value / BATCH, cpu: cpu / BATCH };
  };
}

/** Inserts finalized operations of many wallets and passes. Triggers would let no operation begin as finalized. */
async function plant({ pool }: Database, rows: number): Promise<void> {
  const client = await pool!.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into operation (id, wallet, idempotency_key, request_hash, kind, state, rule, message,
         last_valid_block_height, draft_slot, created_at, expires_at, signature, signed_at, slot)
       select gen_random_uuid()::text, 'wallet' || n % 100000, 'key' || n, md5(n::text), 'CREATE_RULE_SET', 'FINALIZED',
         'rule' || n, decode(repeat(md5(n::text), 20), 'hex'), 1000 + n, 1000 + n, 1760000000000 + n,
         1760000060000 + n, 'signature' || n, 1760000000000 + n, 1000 + n
       from generate_series(1, $1::int) n`,
      [rows],
    );
    await client.query(
      `insert into indexed_account (address, kind, wallet, rule, expires_at, data, lamports, slot)
       select 'address' || n, 'pass', 'wallet' || n % 100000, 'rule' || n % 1000, 1900000000 + n,
         decode(repeat(md5(n::text), 10), 'hex'), 2303760, 1000 + n
       from generate_series(1, $1::int) n`,
      [rows],
    );
    await client.query('reset session_replication_role');
    await client.query('analyze');
  } finally {
    client.release();
  }
}
