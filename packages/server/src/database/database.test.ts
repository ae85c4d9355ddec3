import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  OPERATION_STATES,
  OPERATION_TRANSITIONS,
  type OperationState,
  PENDING_STATES,
} from '@service/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/test-database.ts';
import { DatabaseLockedError } from './lock.ts';
import { migrate } from './migrations.ts';
import { type Database, openDatabase } from './open.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('exactly one place is named', async () => {
  await expect(openDatabase({})).rejects.toThrow(RangeError);
  await expect(openDatabase({ memory: true, directory: 'x' })).rejects.toThrow(RangeError);
});

test('a folder keeps what was committed, and is open in one place', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'database-'));
  const directory = join(parent, 'data');
  try {
    const first = await openDatabase({ directory });
    await expect(openDatabase({ directory })).rejects.toThrow(DatabaseLockedError);
    const row = { id: 'kept', wallet: 'w' as never, message: 'm', expires_at: 2n ** 60n };
    await first.db.insertInto('challenge').values(row).execute();
    await first.close();
    const second = await openDatabase({ directory });
    expect(await second.db.selectFrom('challenge').selectAll().execute()).toEqual([row]);
    await second.close();
  } finally {
    await rm(parent, { recursive: true });
  }
});

test('migrations are applied once, however many start at once', async () => {
  const names = () =>
    sql<{ name: string }>`select name from schema_migration order by name`.execute(database.db);
  const before = (await names()).rows.map(({ name }) => name);
  expect(before).toEqual([
    'auth-1',
    'http-1',
    'index-1',
    'operations-1',
    'operations-2',
    'verification-1',
    'verification-revocations',
  ]);
  await Promise.all([migrate(database.db), migrate(database.db), migrate(database.db)]);
  expect((await names()).rows.map(({ name }) => name)).toEqual(before);
});

test('int8 reads as bigint and bytea as bytes', async () => {
  const { rows } = await sql<{ big: bigint; bytes: Uint8Array }>`
    select ${2n ** 63n - 1n}::bigint as big, ${new Uint8Array([0, 255])}::bytea as bytes`.execute(
    database.db,
  );
  expect(rows[0]?.big).toBe(2n ** 63n - 1n);
  expect([...(rows[0]?.bytes ?? [])]).toEqual([0, 255]);
});

test('a transaction sees nothing of another’s, and leaves nothing when it throws', async () => {
  const { db } = database;
  const wallet = 'wallet-of-transactions' as never;
  const insert = (id: string, within = db) =>
    within.insertInto('challenge').values({ id, wallet, message: '', expires_at: 1n }).execute();
  const count = async (within = db) =>
    (await within.selectFrom('challenge').select('id').where('wallet', '=', wallet).execute()).length;
  await Promise.all(
    ['a', 'b'].map((id) =>
      db.transaction().execute(async (trx) => {
        const before = await count(trx);
        await insert(id, trx);
        expect(await count(trx)).toBe(before + 1);
      }),
    ),
  );
  const failing = db.transaction().execute(async (trx) => {
    await insert('c', trx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await count()).toBe(2);
});

describe('the database itself', () => {
  /** An operation brought to a state by allowed steps. */
  async function operationIn(state: OperationState, name: string = state): Promise<string> {
    const id = `${name}-${Math.random()}`;
    await database.db
      .insertInto('operation')
      .values({
        id,
        wallet: id as never,
        idempotency_key: id,
        request_hash: '',
        kind: 'PROVE',
        state: 'DRAFT',
        rule: null,
        message: new Uint8Array([1]),
        last_valid_block_height: 1n,
        draft_slot: 1n,
        created_at: 1n,
        expires_at: 2n,
      })
      .execute();
    for (const step of PATHS[state]) await move(id, step);
    return id;
  }

  const PATHS: Record<OperationState, OperationState[]> = {
    DRAFT: [],
    EXPIRED: ['EXPIRED'],
    QUEUED: ['QUEUED'],
    SUBMITTED: ['QUEUED', 'SUBMITTED'],
    UNRESOLVED: ['QUEUED', 'SUBMITTED', 'UNRESOLVED'],
    FINALIZED: ['QUEUED', 'SUBMITTED', 'FINALIZED'],
    FAILED: ['QUEUED', 'SUBMITTED', 'FAILED'],
  };

  /** Moves past the code's own check, with whatever columns the state asks for. */
  const move = (id: string, to: OperationState) =>
    sql`update operation set state = ${to},
        signature = case when ${to} in ('DRAFT', 'EXPIRED') then null else coalesce(signature, ${id}) end,
        signed_at = case when ${to} in ('DRAFT', 'EXPIRED') then null else 1 end,
        slot = case when ${to} = 'FINALIZED' then 1 else null end,
        failure = case when ${to} = 'FAILED' then '{}'::jsonb else null end
      where id = ${id}`.execute(database.db);

  const pairs = OPERATION_STATES.flatMap((from) =>
    OPERATION_STATES.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  test.each(pairs)('lets %s become %s only when the contract does', async (from, to) => {
    const id = await operationIn(from);
    const isAllowed = (OPERATION_TRANSITIONS[from] as readonly OperationState[]).includes(to);
    if (isAllowed) await move(id, to);
    else await expect(move(id, to)).rejects.toThrow(`operation state ${from} cannot become ${to}`);
  });

  test('lets no operation begin as anything but a draft, nor change what was prepared or signed', async () => {
    const begun = database.db
      .insertInto('operation')
      .columns([
        'id',
        'wallet',
        'idempotency_key',
        'request_hash',
        'kind',
        'state',
        'rule',
        'message',
        'last_valid_block_height',
        'draft_slot',
        'created_at',
        'expires_at',
      ])
      .expression(sql`select 'x', 'x', 'x', '', 'PROVE', 'QUEUED', null, ''::bytea, 1, 1, 1, 1` as never)
      .execute();
    await expect(begun).rejects.toThrow('begins as DRAFT');
    const id = await operationIn('QUEUED');
    const change = (set: ReturnType<typeof sql>) =>
      sql`update operation set ${set} where id = ${id}`.execute(database.db);
    await expect(change(sql`message = '\\x02'::bytea`)).rejects.toThrow('prepared cannot change');
    await expect(change(sql`wallet = 'y'`)).rejects.toThrow('prepared cannot change');
    await expect(change(sql`signature = 'y'`)).rejects.toThrow('signature of an operation cannot change');
  });

  test.each(PENDING_STATES)('holds one signed operation per wallet: %s', async (state) => {
    const id = await operationIn(state);
    const second = `${id}-second`;
    await sql`insert into operation (id, wallet, idempotency_key, request_hash, kind, state, message,
        last_valid_block_height, draft_slot, created_at, expires_at)
      select ${second}, wallet, 'another', '', kind, 'DRAFT', message, 1, 1, 1, 1 from operation where id = ${id}`.execute(
      database.db,
    );
    await expect(move(second, 'QUEUED')).rejects.toThrow('operation_one_pending_per_wallet');
  });
});
