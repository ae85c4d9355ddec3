/** Rejections by the preparing endpoints before they check the request itself, with the whole response. */
import { randomUUID } from 'node:crypto';
import {
  ERROR_CODES,
  type ErrorCode,
  type OperationKind,
  type PREPARING_ROUTES,
  REQUEST_ID_HEADER,
  ROUTES,
} from '@service/contract';
import { type Answer, pause, ruleSetBody, unpause } from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();
afterEach(async () => {
  await unpause(world);
  await world.finalize();
});

const unused = (await generateKeyPairSigner()).address;
const otherUnused = (await generateKeyPairSigner()).address;
const proof = Buffer.alloc(256, 1).toString('base64');
/** A valid body for each endpoint, with accounts that do not exist. */
const bodies = {
  createRuleSet: ruleSetBody(),
  bindMint: { mint: unused, rule: otherUnused, requireSource: false },
  prove: { rule: unused, expiresAt: '1800000000', proof },
  issue: { mint: unused, destination: otherUnused, amount: '1' },
  transfer: { mint: unused, source: unused, destination: otherUnused, amount: '1' },
  recover: { mint: unused, source: unused, destination: otherUnused, amount: '1', reason: 'lost-key' },
  redeem: { mint: unused, source: unused, amount: '1', reason: 'redemption' },
  suspend: { rule: unused, holder: otherUnused, until: '0' },
  grant: { rule: unused, holder: otherUnused, expiresAt: '1800000000' },
} satisfies Record<(typeof PREPARING_ROUTES)[OperationKind], object>;
const routes = Object.entries(bodies).map(
  ([name, body]) => [ROUTES[name as keyof typeof bodies].path, body] as const,
);

function expectRefused(
  answer: Answer<unknown>,
  code: ErrorCode,
  message: string = ERROR_CODES[code].meaning,
) {
  const requestId = answer.headers.get(REQUEST_ID_HEADER);
  expect(answer.body).toEqual({ error: { code, message, requestId } });
  expect(answer.status).toBe(ERROR_CODES[code].status);
}

describe.each(routes)('POST %s', (path, body) => {
  test('without a session, and with an expired one', async () => {
    expectRefused(await (await world.visitor()).prepare(path, body), 'AUTHENTICATION_REQUIRED');
    const visitor = await world.signedIn();
    world.clock.ms += 12 * 3_600_000;
    expectRefused(await visitor.prepare(path, body), 'SESSION_EXPIRED');
  });

  test('with an invalid idempotency key', async () => {
    const message = 'Idempotency-Key must be 8 to 100 letters, digits, _ or -.';
    const visitor = await world.signedIn();
    expectRefused(await visitor.post(path, body), 'IDEMPOTENCY_KEY_REQUIRED', message);
    expectRefused(await visitor.prepare(path, body, 'seven-7'), 'IDEMPOTENCY_KEY_REQUIRED', message);
  });

  test('with an idempotency key of another body', async () => {
    const visitor = await world.signedIn();
    const key = randomUUID();
    expect((await visitor.prepare('/api/rules', ruleSetBody(), key)).status).toBe(200);
    expectRefused(await visitor.prepare(path, body, key), 'IDEMPOTENCY_CONFLICT');
  });

  test('while the wallet’s signed operation has no final result', async () => {
    const visitor = await world.signedIn();
    const draft = await world.draft(visitor);
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
    const message = `The wallet’s operation ${draft.body.operationId} is signed and has no final result yet. Wait for it.`;
    expectRefused(await visitor.prepare(path, body), 'SIGNED_OPERATION_PENDING', message);
    // This applies to that wallet only.
    expect((await (await world.signedIn()).prepare(path, body)).code).not.toBe('SIGNED_OPERATION_PENDING');
    await world.created.tick();
    expectRefused(await visitor.prepare(path, body), 'SIGNED_OPERATION_PENDING', message);
    await world.finalize();
    expect((await visitor.prepare(path, body)).code).not.toBe('SIGNED_OPERATION_PENDING');
  });

  test('while the protocol is paused', async () => {
    const visitor = await world.signedIn();
    await pause(world);
    const answer = await visitor.prepare(path, body);
    // The program suspends passes while it is paused.
    if (path === ROUTES.suspend.path) expect(answer.code).toBe('NOT_FOUND');
    else expectRefused(answer, 'PROTOCOL_PAUSED');
  });

  test('while the index lags by more than its limit, not at its limit', async () => {
    const visitor = await world.signedIn();
    await world.finalize();
    const { maxIndexLagSeconds } = world.created.service.settings;
    const { index } = (await visitor.get<{ index: { time: string } }>('/api/rules')).body;
    await lagBy(maxIndexLagSeconds);
    expect((await visitor.get('/api/rules')).status).toBe(200);
    expect((await visitor.prepare(path, body)).code).not.toBe('INDEX_STALE');
    await lagBy(maxIndexLagSeconds + 1);
    const stale = await visitor.prepare(path, body);
    expectRefused(stale, 'INDEX_STALE');
    expect(stale.headers.get('retry-after')).toBe('1');
    expectRefused(await visitor.get('/api/rules'), 'INDEX_STALE');

    async function lagBy(seconds: number) {
      world.net.setTime(Number(index.time) + seconds);
      world.net.finalize();
    }
  });
});
