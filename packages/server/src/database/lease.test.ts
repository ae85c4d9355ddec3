import { expect, test } from 'vitest';
import { addDraft } from '../../test/support/operation-rows.ts';
import { databaseOfFile } from '../../test/support/test-database.ts';
import { LEASE_MS, releaseLeases, takeLeases, underLease } from './lease.ts';
import { transition } from './transition.ts';

const database = databaseOfFile();

async function take(now: number, limit = 10) {
  const rows = await takeLeases(database.db, { table: 'operation', states: ['DRAFT'], now, limit });
  return { ids: rows.map(({ id }) => id), owner: rows[0]?.lease_owner ?? '' };
}

const expire = (id: string, owner: string) =>
  transition(database.db, {
    ...{ table: 'operation', id, from: 'DRAFT', to: 'EXPIRED' },
    where: underLease([{ id, lease_owner: owner }]),
  });
const release = (id: string, owner: string, dueAt: number) =>
  releaseLeases(database.db, { table: 'operation', owner, due: new Map([[id, dueAt]]) });
const add = (id: string) => addDraft(database.db, id);
const rowOf = (id: string) =>
  database.db.selectFrom('operation').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a row has one owner until the lease expires or is released', async () => {
  const id = await add('held');
  const first = await take(1_000);
  expect(first.ids).toEqual([id]);
  expect((await take(1_000 + LEASE_MS - 1)).ids).toEqual([]);
  const second = await take(1_000 + LEASE_MS);
  expect(second.ids).toEqual([id]);
  expect(second.owner).not.toBe(first.owner);

  // The first owner is late: it cannot move or release the row.
  expect(await expire(id, first.owner)).toBe(false);
  await release(id, first.owner, 0);
  expect(await rowOf(id)).toMatchObject({ state: 'DRAFT', lease_owner: second.owner });
  expect((await take(1_001 + LEASE_MS)).ids).toEqual([]);

  await release(id, second.owner, 90_000);
  expect((await take(89_999)).ids).toEqual([]);
  const third = await take(90_000);
  expect(third.ids).toEqual([id]);
  expect(await expire(id, third.owner)).toBe(true);
  expect((await rowOf(id)).state).toBe('EXPIRED');
});

test('simultaneous processes share the rows, each row once, the longest due first', async () => {
  const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
  const taken = await Promise.all([take(5, 2), take(5, 2), take(5, 2)]);
  const all = taken.flatMap((each) => each.ids).sort();
  expect(new Set(all).size).toBe(all.length);
  expect((await take(5)).ids.concat(all).sort()).toEqual(ids.sort());
});
