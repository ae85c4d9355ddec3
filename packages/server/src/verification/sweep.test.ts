import { randomUUID } from 'node:crypto';
import { WEBHOOK_TOLERANCE_SECONDS } from '@service/contract';
import { signWebhook } from '@service/contract/verifier';
import { WEBHOOK_SECRET } from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { deliver, messageText } from '../../test/support/verification/deliveries.ts';
import { addSession } from '../../test/support/verification/sessions.ts';
import { KEEP_ABANDONED_MS, KEEP_DELIVERIES_MS, startSweeper } from '../sweeper.ts';

const world = testWorld({ program: false });

/** Returns a `verification.failed` message, to send repeatedly. */
async function failure() {
  const { db } = world.database;
  const { address: wallet } = await generateKeyPairSigner();
  const sessionId = await addSession(db, wallet, world.clock.ms);
  const id = `msg_${randomUUID()}`;
  const body = messageText({ type: 'verification.failed', data: { sessionId, wallet }, now: world.clock.ms });
  const sign = () => signWebhook({ secret: WEBHOOK_SECRET, now: world.clock.ms, id, body });
  const send = async (headers: Record<string, string>) =>
    (await deliver(world.created.app, { body, id, now: world.clock.ms, headers })).status;
  const isKept = async () =>
    (await db.selectFrom('webhook_delivery').where('id', '=', id).select('id').execute()).length > 0;
  return { sessionId, sign, send, isKept };
}

async function sweep(): Promise<void> {
  const sweeper = startSweeper(world.created.service);
  await sweeper.tick();
  await sweeper.stop();
}

test('the id of a webhook message is kept for a week, longer than copies and retries are possible', async () => {
  const message = await failure();
  const first = message.sign();
  expect(await message.send(first)).toBe(200);
  const received = world.clock.ms;

  // The id rejects a copy at first. Later its timestamp does, whether the id is kept or not.
  expect(await message.send(first)).toBe(200);
  world.clock.ms = received + WEBHOOK_TOLERANCE_SECONDS * 1_000 + 1_000;
  expect(await message.send(first)).toBe(401);
  expect(KEEP_DELIVERIES_MS).toBeGreaterThan(2 * WEBHOOK_TOLERANCE_SECONDS * 1_000);

  world.clock.ms = received + KEEP_DELIVERIES_MS - 1;
  await sweep();
  expect(await message.isKept()).toBe(true);
  expect(await message.send(message.sign())).toBe(200);

  world.clock.ms += 1;
  await sweep();
  expect(await message.isKept()).toBe(false);
  expect(await message.send(first)).toBe(401);
});

test('more than one batch is deleted in one step, and the sessions stay', async () => {
  const { sessionId } = await failure();
  const { db } = world.database;
  const deliveries = Array.from({ length: 1_100 }, (_, index) => ({
    id: `old ${index}`,
    type: 'verification.failed',
    session_id: sessionId,
    received_at: BigInt(world.clock.ms - KEEP_DELIVERIES_MS),
    digest: new Uint8Array(32),
  }));
  await db.insertInto('webhook_delivery').values(deliveries).execute();
  await sweep();
  expect(await db.selectFrom('webhook_delivery').select('id').execute()).toEqual([]);
  const sessions = db.selectFrom('verification_session').select('id').where('id', '=', sessionId);
  expect(await sessions.execute()).toHaveLength(1);
});

test('an incomplete session is deleted a day after it expires; one with a message is kept', async () => {
  const { db } = world.database;
  const { address: wallet } = await generateKeyPairSigner();
  const ended = (ago: number) => {
    const times = { created_at: 0n, expires_at: BigInt(world.clock.ms - ago) };
    return { id: randomUUID() as string, wallet, state: 'STARTED' as const, ...times };
  };
  const [recent, reported] = [ended(KEEP_ABANDONED_MS - 1), ended(KEEP_ABANDONED_MS)];
  const old = Array.from({ length: 1_100 }, () => ended(KEEP_ABANDONED_MS));
  const sessions = db.insertInto('verification_session').values([recent, reported, ...old]);
  await sessions.execute();
  const received_at = BigInt(world.clock.ms);
  const delivery = {
    id: randomUUID(),
    type: 'credential.revoked',
    session_id: reported.id,
    received_at,
    digest: new Uint8Array(32),
  };
  await db.insertInto('webhook_delivery').values(delivery).execute();
  await sweep();
  const left = db.selectFrom('verification_session').select('id').where('wallet', '=', wallet);
  expect(new Set((await left.execute()).map(({ id }) => id))).toEqual(new Set([recent.id, reported.id]));
});
