/** `verification.pending`: a verifier reviews a person for days, and reports the result long after the session's hour. */
import { randomUUID } from 'node:crypto';
import { REVIEW_SECONDS, WEBHOOK_TOLERANCE_SECONDS } from '@service/contract';
import type { Visitor } from '@service/server/test-service';
import { beforeEach, expect, test } from 'vitest';
import { serviceOnChain } from '../../../test/support/service-on-chain.ts';
import {
  completedData,
  type DeliverOptions,
  deliver,
  RECEIVED,
} from '../../../test/support/verification/deliveries.ts';
import { addSession } from '../../../test/support/verification/sessions.ts';
import { KEEP_ABANDONED_MS, KEEP_DELIVERIES_MS, KEEP_REVIEWED_MS, startSweeper } from '../../sweeper.ts';

const on = serviceOnChain();
const { clock } = on;
const HOUR = 3_600;
const INVALID = { status: 400, code: 'INVALID_REQUEST' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
let visitor: Visitor;
let sessionId: string;

beforeEach(async () => {
  await on.service.follow();
  visitor = await on.service.visitor();
  sessionId = await addSession(on.database.db, visitor.address, clock.now());
});

const send = (options: Partial<DeliverOptions>) => deliver(on.service.app, { now: clock.now(), ...options });
const pending = (options: Partial<DeliverOptions> = {}) =>
  send({ type: 'verification.pending', data: { sessionId, wallet: visitor.address }, ...options });
const failed = () => send({ type: 'verification.failed', data: { sessionId, wallet: visitor.address } });
async function completed() {
  const times = { issuedAt: clock.seconds, expiresAt: clock.seconds + 1_000n };
  const statement = on.chain.statement(visitor.address, times);
  return send({ data: await completedData(sessionId, statement, on.chain.keys.verifier) });
}
/** Lets seconds pass, and the index follow. */
async function pass(seconds: number) {
  on.pass(seconds);
  await on.service.follow();
}
/** The session as the passport of its wallet shows it. */
const shown = async () => {
  const again = await visitor.signIn();
  return (await again.get<{ verification: object }>('/api/passport')).body.verification;
};
const isKept = async () =>
  (await on.database.db.selectFrom('verification_session').where('id', '=', sessionId).select('id').execute())
    .length > 0;
async function sweep() {
  const sweeper = startSweeper(on.service.service);
  await sweeper.tick();
  await sweeper.stop();
}

test('the passport shows since when a person is in review, until the result', async () => {
  expect(await shown()).not.toHaveProperty('pendingSince');
  const since = clock.seconds;
  expect(await pending()).toEqual(RECEIVED);
  const expected = { sessionId, state: 'STARTED', pendingSince: `${since}` };
  expect(await shown()).toMatchObject(expected);
  // Only the first report counts.
  await pass(60);
  expect(await pending()).toEqual(RECEIVED);
  expect(await shown()).toMatchObject(expected);
  expect(await completed()).toEqual(RECEIVED);
  expect(await shown()).toMatchObject({ state: 'ISSUING' });
  expect(await shown()).not.toHaveProperty('pendingSince');
});

test('a review that fails ends the session', async () => {
  await pending();
  expect(await failed()).toEqual(RECEIVED);
  expect(await shown()).toMatchObject({ state: 'FAILED' });
  expect(await shown()).not.toHaveProperty('pendingSince');
  // A late report of the review changes nothing.
  expect(await pending()).toEqual(RECEIVED);
  expect(await shown()).toMatchObject({ state: 'FAILED' });
});

test.each([
  ['pending', async () => pending()],
  ['completed', completed],
])(
  'without a review, a report that is %s comes at most 300 seconds after the hour',
  async (_what, report) => {
    await pass(HOUR + WEBHOOK_TOLERANCE_SECONDS + 1);
    expect(await report()).toMatchObject(NOT_FOUND);
    expect(await shown()).not.toHaveProperty('pendingSince');
  },
);

test('after a report of a review, the result comes up to 30 days later', async () => {
  await pass(HOUR + WEBHOOK_TOLERANCE_SECONDS);
  expect(await pending()).toEqual(RECEIVED);
  await pass(REVIEW_SECONDS);
  expect(await completed()).toEqual(RECEIVED);
  expect(await on.session(sessionId)).toMatchObject({ state: 'ISSUING' });
});

test('and not later', async () => {
  await pending();
  await pass(HOUR + WEBHOOK_TOLERANCE_SECONDS + REVIEW_SECONDS + 1);
  expect(await completed()).toMatchObject(NOT_FOUND);
  expect(await on.session(sessionId)).toMatchObject({ state: 'STARTED' });
});

test('the sweeper keeps a session in review until no result can come, also without its message', async () => {
  await pending();
  expect(KEEP_REVIEWED_MS).toBeGreaterThan((REVIEW_SECONDS + WEBHOOK_TOLERANCE_SECONDS) * 1_000);
  const weekMs = HOUR * 1_000 + Math.max(KEEP_DELIVERIES_MS, KEEP_ABANDONED_MS);
  clock.pass(weekMs / 1_000);
  // The first sweep deletes the message, so the second one finds a session without any.
  await sweep();
  await sweep();
  expect(await isKept()).toBe(true);
  clock.pass((KEEP_REVIEWED_MS - weekMs) / 1_000 + HOUR - 1);
  await sweep();
  expect(await isKept()).toBe(true);
  clock.pass(1);
  await sweep();
  expect(await isKept()).toBe(false);
});

test('the message has an id, and only the fields of its type', async () => {
  const id = `msg_${randomUUID()}`;
  expect(await pending({ id })).toEqual(RECEIVED);
  expect(await pending({ id })).toEqual(RECEIVED);
  const other = { sessionId, wallet: visitor.address, reason: 'blurry photo' };
  expect(await pending({ data: other })).toMatchObject(INVALID);
  expect(await pending({ data: { sessionId } })).toMatchObject(INVALID);
  const unknown = { sessionId: randomUUID(), wallet: visitor.address };
  expect(await pending({ data: unknown })).toMatchObject(NOT_FOUND);
});
