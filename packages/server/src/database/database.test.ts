import { migrate } from '@service/database';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../../test/support/test-database.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

const database = databaseOfFile();

test('exactly one location is given', async () => {
  await expect(openDatabase({})).rejects.toThrow(RangeError);
  await expect(openDatabase({ memory: true, directory: 'x' })).rejects.toThrow(RangeError);
});

test('migrations are applied once, even if several services start at once', async () => {
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db);
    return rows.map(({ name }) => name);
  };
  const all = [
    '0001-tables',
    '0002-welcome-payments',
    '0003-issuer-operations',
    '0004-keeper',
    '0005-session-origin',
    '0006-verifier-of-session',
    '0007-review-of-session',
    '0008-first-event-of-wallet',
  ];
  expect(await names()).toEqual(all);
  await Promise.all([
    migrate(database.db, MIGRATIONS),
    migrate(database.db, MIGRATIONS),
    migrate(database.db, MIGRATIONS),
  ]);
  expect(await names()).toEqual(all);
});

test('int8 reads as bigint and bytea as bytes', async () => {
  const { rows } = await sql<{ big: bigint; bytes: Uint8Array }>`
    select ${2n ** 63n - 1n}::bigint as big, ${new Uint8Array([0, 255])}::bytea as bytes`.execute(
    database.db,
  );
  expect(rows[0]?.big).toBe(2n ** 63n - 1n);
  expect([...(rows[0]?.bytes ?? [])]).toEqual([0, 255]);
});

test('uncommitted changes are not visible, and a transaction that throws leaves nothing', async () => {
  const { db } = database;
  const wallet = 'wallet-of-transactions' as never;
  const insert = (within = db) =>
    within.insertInto('challenge').values({ id: 'a', wallet, message: '', expires_at: 1n }).execute();
  const count = async (within = db) =>
    (await within.selectFrom('challenge').select('id').where('wallet', '=', wallet).execute()).length;
  // PostgreSQL answers another connection at once, PGlite after the transaction. Neither shows the row.
  const outside: Promise<number>[] = [];
  const failing = db.transaction().execute(async (trx) => {
    await insert(trx);
    outside.push(count());
    expect(await count(trx)).toBe(1);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all(outside)).toEqual([0]);
  expect(await count()).toBe(0);
  await db.transaction().execute((trx) => insert(trx));
  expect(await count()).toBe(1);
});
