import { ruleSetBody } from '@service/server/test-service';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { KEEP_EXPIRED_DRAFTS_MS, startSweeper } from '../sweeper.ts';

const world = testWorld();

test('an expired draft keeps its key for a day and is then deleted; signed operations stay', async () => {
  const [visitor, signer] = [await world.signedIn(), await world.signedIn()];
  const body = ruleSetBody();
  const draft = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  const signed = await world.finish(signer, await world.draft(signer));
  const sweeper = startSweeper(world.created.service);
  const expiresAt = world.clock.ms - 2_000 + 90_000;

  world.clock.ms = expiresAt + KEEP_EXPIRED_DRAFTS_MS - 1;
  await world.created.tick();
  await sweeper.tick();
  await visitor.signIn();
  const replay = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  expect(replay.body).toMatchObject({ operationId: draft.body.operationId, state: 'EXPIRED' });

  world.clock.ms += 1;
  await sweeper.tick();
  expect(await world.row(draft.body.operationId)).toBeUndefined();
  expect(await visitor.operation(draft.body.operationId)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await world.row(signed.operationId)).toMatchObject({ state: 'FINALIZED' });
  const renewed = await visitor.prepare('/api/rules', body, 'key-of-a-day');
  expect(renewed).toMatchObject({ status: 200, body: { state: 'DRAFT' } });
  await sweeper.stop();
});

test('more than one batch is deleted in one step', async () => {
  const { id } = await world.drafted();
  const { db } = world.database;
  await sql`insert into operation (id, idempotency_key, request_hash, state, wallet, kind, rule, message,
      last_valid_block_height, draft_slot, created_at, expires_at)
    select 'copy ' || number, 'copy ' || number, '', state, wallet, kind, rule, message,
      last_valid_block_height, draft_slot, created_at, expires_at
    from operation, generate_series(1, 1100) as number where id = ${id}`.execute(db);
  world.clock.ms += 90_000 + KEEP_EXPIRED_DRAFTS_MS;
  await world.created.tick();
  const sweeper = startSweeper(world.created.service);
  await sweeper.tick();
  await sweeper.stop();
  expect(await db.selectFrom('operation').select('id').where('state', '=', 'EXPIRED').execute()).toEqual([]);
  expect(await db.selectFrom('operation').select('id').where('id', 'like', 'copy%').execute()).toEqual([]);
});
