import { ruleSetBody } from '@service/test-support/service';
import { expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { KEEP_EXPIRED_DRAFTS_MS, startDraftSweeper } from './sweep.ts';

const world = testWorld();

test('an expired draft keeps its key for a day and is then deleted; signed operations stay', async () => {
  const [visitor, signer] = [await world.signedIn(), await world.signedIn()];
  const body = ruleSetBody();
  const draft = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  const signed = await world.draft(signer);
  await signer.signAndSubmit(signed);
  await world.settle();
  const sweeper = startDraftSweeper(world.created.service);
  const find = (id: string) =>
    world.database.db.selectFrom('operation').select('state').where('id', '=', id).executeTakeFirst();
  const expiresAt = world.clock.ms - 2_000 + 90_000;

  world.clock.ms = expiresAt + KEEP_EXPIRED_DRAFTS_MS - 1;
  await world.created.tick();
  await sweeper.tick();
  await visitor.signIn();
  const replay = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  expect(replay.body).toMatchObject({ operationId: draft.body.operationId, state: 'EXPIRED' });

  world.clock.ms += 1;
  await sweeper.tick();
  expect(await find(draft.body.operationId)).toBeUndefined();
  expect(await visitor.operation(draft.body.operationId)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await find(signed.body.operationId)).toEqual({ state: 'FINALIZED' });
  const anew = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  expect(anew).toMatchObject({ status: 200, body: { state: 'DRAFT' } });
  await sweeper.stop();
});

test('more than one batch is deleted in one step', async () => {
  const visitor = await world.signedIn();
  const draft = await world.draft(visitor);
  const { db } = world.database;
  const row = await db
    .selectFrom('operation')
    .selectAll()
    .where('id', '=', draft.body.operationId)
    .executeTakeFirstOrThrow();
  const { wallet, kind, rule, message, last_valid_block_height, draft_slot, created_at, expires_at } = row;
  const copies = Array.from({ length: 1_100 }, (_, index) => ({
    ...{ wallet, kind, rule, message, last_valid_block_height, draft_slot, created_at, expires_at },
    ...{ id: `copy ${index}`, idempotency_key: `copy ${index}`, request_hash: '', state: 'DRAFT' as const },
  }));
  await db.insertInto('operation').values(copies).execute();
  world.clock.ms += 90_000 + KEEP_EXPIRED_DRAFTS_MS;
  await world.created.tick();
  expect(await db.selectFrom('operation').select('id').where('state', '=', 'EXPIRED').execute()).toEqual([]);
  expect(await db.selectFrom('operation').select('id').where('id', 'like', 'copy%').execute()).toEqual([]);
});
