import { eventRecord } from '@service/contract';
import { ruleSetBody } from '@service/server/test-service';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readEvents } from '../../test/support/events/read-events.ts';
import { addOperationIn } from '../../test/support/operation-rows.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { eventJson } from './record.ts';

const world = testWorld();

/** Returns the events of a wallet, as the wire has them. */
async function eventsOf(wallet: string) {
  const rows = await readEvents(world.database, { wallet });
  return rows.map((row) => z.decode(eventRecord, JSON.parse(eventJson(row))));
}

test('an operation that is finalized has one event, with its result', async () => {
  const { visitor, id, rule, submit } = await world.drafted();
  const { body } = await submit();
  await world.settle();
  await world.settle();
  const { slot } = await world.operation({ visitor, id });
  expect(await eventsOf(visitor.address)).toEqual([
    {
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      createdAt: expect.any(BigInt),
      wallet: visitor.address,
      type: 'operation.finalized',
      data: {
        operationId: id,
        kind: 'CREATE_RULE_SET',
        rule,
        state: 'FINALIZED',
        signature: body.signature,
        slot: BigInt(slot),
      },
    },
  ]);
});

test('an operation that fails has one event, with the failure and no bytes of the message', async () => {
  const visitor = await world.signedIn();
  const body = ruleSetBody();
  const [first, second] = [
    await visitor.prepare('/api/rules', body),
    await visitor.prepare('/api/rules', body),
  ];
  await world.finish(visitor, first);
  await world.finish(visitor, second);
  const [finalized, failed, ...others] = await eventsOf(visitor.address);
  expect([finalized?.type, failed?.type, others]).toEqual(['operation.finalized', 'operation.failed', []]);
  const { failure } = await world.operation({ visitor, id: second.body.operationId });
  expect(failed?.data).toMatchObject({ operationId: second.body.operationId, state: 'FAILED', failure });
});

describe('a transition', () => {
  test.each(['DRAFT', 'EXPIRED', 'QUEUED', 'SUBMITTED', 'UNRESOLVED'] as const)(
    'to %s has no event',
    async (state) => {
      expect(await eventsOf(await addOperationIn(world.database.db, state))).toEqual([]);
    },
  );

  test('of several operations in one statement has an event for each, or for none if it is rolled back', async () => {
    const { db } = world.database;
    const ids = await Promise.all([1, 2, 3].map(() => addOperationIn(db, 'SUBMITTED')));
    const finish = sql`update operation set state = 'FINALIZED', slot = 1 where id = any(${ids}::text[])`;
    const rolledBack = db.transaction().execute(async (trx) => {
      await finish.execute(trx);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const count = async () => {
      const { rows } = await sql`select from event where wallet = any(${ids}::text[])`.execute(db);
      return rows.length;
    };
    expect(await count()).toBe(0);
    await finish.execute(db);
    // A change of another column has no event.
    await sql`update operation set due_at = 5 where id = any(${ids}::text[])`.execute(db);
    expect(await count()).toBe(3);
  });
});
