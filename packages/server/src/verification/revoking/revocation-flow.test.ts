/** A credential, its revocation and another credential, from the hosted page to the chain, over HTTP. */
import { type Passport, passportResponse } from '@service/contract';
import { createSandboxVerifier, type Listener } from '@service/development/sandbox-verifier';
import type { Visitor } from '@service/test-support/service';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { StillClock, startChain, type TestChain } from '../../../test/support/chain-index/chain.ts';
import { type TestService, testService, WEBHOOK_SECRET } from '../../../test/support/read-service.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { deliver } from '../../../test/support/verification/deliveries.ts';
import { startCredentialIssuer } from '../index.ts';

let clock: StillClock;
let chain: TestChain;
let database: TestDatabase;
let service: TestService;
let hosted: Listener;
let site: string;
let visitor: Visitor;
let other: Visitor;

beforeAll(async () => {
  clock = new StillClock();
  chain = await startChain({ clock });
  database = await openTestDatabase();
  hosted = await createSandboxVerifier({
    authority: chain.keys.verifier,
    webhookSecret: WEBHOOK_SECRET,
    clock,
    log: pino({ level: 'silent' }),
  }).listen();
  const origin = (port: number) => `http://127.0.0.1:${port}`;
  service = await testService(chain, { clock, database, verifierUrl: hosted.url, origin });
  site = (await service.listen({ port: 0 })).url;
  await service.follow();
  [visitor, other] = [await service.visitor(), await service.visitor()];
});
afterAll(async () => {
  await hosted.close();
  await service.close();
  await database.close();
  await chain.net.stop();
});

const start = async (who = visitor) =>
  (
    await who.post<{ sessionId: string; url: string }>('/api/verification-sessions', {
      returnUrl: `${site}/`,
    })
  ).body;
const person = { region: 'JP', status: 'professional', birthDate: '1984-02-29' };
const complete = (url: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(person), redirect: 'manual' });
/** Runs the issuer until its transactions are finalized and it has read them. */
async function settle() {
  const issuer = startCredentialIssuer(service.service);
  for (const _ of ['send', 'see']) {
    await issuer.tick();
    await service.follow();
  }
  await issuer.tick();
}
const passport = async (who = visitor): Promise<Passport> =>
  z.decode(passportResponse, (await who.get('/api/passport')).body as never);
const prove = (rule: string) => visitor.post('/api/proofs/context', { rule });

it('a credential is issued, revoked and issued again, each on chain and in the passport', async () => {
  const rule = await chain.ruleSet(await chain.wallet(), 1n);
  await service.follow();
  const first = await start();
  expect((await complete(first.url)).status).toBe(303);
  await settle();
  expect(await passport()).toMatchObject({
    credential: { issuedAt: clock.seconds, revoked: false },
    verification: { sessionId: first.sessionId, state: 'ISSUED' },
  });
  expect((await prove(rule)).status).toBe(200);

  // The same link again revokes the credential.
  const page = await (await fetch(first.url)).text();
  expect(page).toContain(visitor.address);
  const action = /action="([^"]+)"/.exec(page)![1]!;
  expect((await fetch(new URL(action, first.url), { method: 'POST' })).status).toBe(200);
  await settle();
  expect((await passport()).credential).toMatchObject({ issuedAt: clock.seconds, revoked: true });
  expect(await prove(rule)).toMatchObject({
    status: 409,
    code: 'CREDENTIAL_REQUIRED',
    message: 'The credential of the wallet was revoked. Verify again.',
  });
  const proof = Buffer.alloc(256).toString('base64');
  const expiresAt = (clock.seconds + 3_600n).toString();
  expect(await visitor.prepare('/api/proofs', { rule, expiresAt, proof })).toMatchObject({
    status: 409,
    code: 'CREDENTIAL_REQUIRED',
  });

  // Signed times rise even within the same second.
  clock.milliseconds += 1;
  const second = await start();
  await complete(second.url);
  await settle();
  expect(await passport()).toMatchObject({
    credential: { issuedAt: clock.seconds + 1n, revoked: false },
    verification: { sessionId: second.sessionId, state: 'ISSUED' },
  });
  expect((await prove(rule)).status).toBe(200);
  // The renewal replaces the credential again.
  await complete((await start()).url);
  await settle();
  expect((await passport()).credential).toMatchObject({ issuedAt: clock.seconds + 2n, revoked: false });
  const address = await chain.addresses.credential(visitor.address);
  const landed = await chain.net.rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send();
  expect(landed.map(({ err }) => err)).toEqual([null, null, null, null]);
});

it('a wallet sees the state of its own verification only', async () => {
  expect((await passport(other)).verification).toBeUndefined();
  const { sessionId, url } = await start(other);
  const open = await passport(other);
  expect(open.verification).toEqual({
    sessionId,
    state: 'STARTED',
    expiresAt: clock.seconds + 3_600n,
  });
  expect((await passport()).verification?.sessionId).not.toBe(sessionId);

  clock.pass(1);
  const next = await start(other);
  const data = { sessionId: next.sessionId, wallet: other.address };
  await deliver(service.app, { type: 'verification.failed', data, now: clock.now() });
  expect((await passport(other)).verification).toEqual({
    sessionId: next.sessionId,
    state: 'FAILED',
    expiresAt: clock.seconds + 3_600n,
    failure: 'The verifier did not verify the person.',
  });

  clock.pass(1);
  const third = await start(other);
  await complete(third.url);
  expect((await passport(other)).verification).toMatchObject({
    sessionId: third.sessionId,
    state: 'ISSUING',
  });
  expect(await visitor.get(`/api/operations/${sessionId}`)).toMatchObject({ status: 404 });
  expect(await visitor.get(`/api/verification-sessions/${sessionId}`)).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  expect(new URL(url).pathname).not.toContain(sessionId);
});
