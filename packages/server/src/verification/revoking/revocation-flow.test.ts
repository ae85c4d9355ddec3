/** A credential, its revocation and another credential, from the hosted page to the chain, over HTTP. */
import type { Visitor } from '@service/server/test-service';
import { beforeAll, expect, it } from 'vitest';
import { deliver } from '../../../test/support/verification/deliveries.ts';
import { flowOnChain } from '../../../test/support/verification/flow-on-chain.ts';

const on = flowOnChain();
const { clock, complete, passport, settle } = on;
let visitor: Visitor;
let other: Visitor;

beforeAll(async () => {
  await on.service.follow();
  [visitor, other] = [await on.service.visitor(), await on.service.visitor()];
});

const start = async (by = visitor) => (await on.start(by)).body;
const prove = (rule: string) => visitor.post('/api/proofs/context', { rule });

it('a credential is issued, revoked and issued again, each on chain and in the passport', async () => {
  const rule = await on.chain.ruleSet(await on.chain.wallet(), 1n);
  await on.service.follow();
  const first = await start();
  const { checkUrl } = await complete(first.url);
  await settle();
  expect(await passport(visitor)).toMatchObject({
    credential: { issuedAt: clock.seconds, revoked: false },
    verification: { sessionId: first.sessionId, state: 'ISSUED' },
  });
  expect((await prove(rule)).status).toBe(200);

  await on.takeBack(checkUrl);
  await settle();
  expect((await passport(visitor)).credential).toMatchObject({ issuedAt: clock.seconds, revoked: true });
  const required = { status: 409, code: 'CREDENTIAL_REQUIRED' };
  const message = 'The credential of the wallet was revoked. Verify again.';
  expect(await prove(rule)).toMatchObject({ ...required, message });
  const proof = Buffer.alloc(256).toString('base64');
  const expiresAt = (clock.seconds + 3_600n).toString();
  expect(await visitor.prepare('/api/proofs', { rule, expiresAt, proof })).toMatchObject(required);

  // Signed times rise even within the same second.
  clock.milliseconds += 1;
  const second = await start();
  await complete(second.url);
  await settle();
  expect(await passport(visitor)).toMatchObject({
    credential: { issuedAt: clock.seconds + 1n, revoked: false },
    verification: { sessionId: second.sessionId, state: 'ISSUED' },
  });
  expect((await prove(rule)).status).toBe(200);
  // The renewal replaces the credential again.
  await complete((await start()).url);
  await settle();
  expect((await passport(visitor)).credential).toMatchObject({
    issuedAt: clock.seconds + 2n,
    revoked: false,
  });
  const address = await on.chain.addresses.credential(visitor.address);
  const landed = await on.chain.net.rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send();
  expect(landed.map(({ err }) => err)).toEqual([null, null, null, null]);
});

it('a wallet sees the state of its own verification only', async () => {
  expect((await passport(other)).verification).toBeUndefined();
  const { sessionId, url } = await start(other);
  const open = await passport(other);
  expect(open.verification).toEqual({ sessionId, state: 'STARTED', expiresAt: clock.seconds + 3_600n });
  expect((await passport(visitor)).verification?.sessionId).not.toBe(sessionId);

  clock.pass(1);
  const next = await start(other);
  const data = { sessionId: next.sessionId, wallet: other.address };
  await deliver(on.service.app, { type: 'verification.failed', data, now: clock.now() });
  expect((await passport(other)).verification).toEqual({
    sessionId: next.sessionId,
    state: 'FAILED',
    expiresAt: clock.seconds + 3_600n,
    failure: 'The verifier did not verify the person.',
  });

  clock.pass(1);
  const third = await start(other);
  await complete(third.url);
  const issuing = { sessionId: third.sessionId, state: 'ISSUING' };
  expect((await passport(other)).verification).toMatchObject(issuing);
  expect(await visitor.get(`/api/operations/${sessionId}`)).toMatchObject({ status: 404 });
  const notFound = { status: 404, code: 'NOT_FOUND' };
  expect(await visitor.get(`/api/verification-sessions/${sessionId}`)).toMatchObject(notFound);
  expect(new URL(url).pathname).not.toContain(sessionId);
});
