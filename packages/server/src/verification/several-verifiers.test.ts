/** A service with two verifiers: a page names one, and only that one reports about the session. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@service/contract/verifier';
import { ORIGIN, type Visitor, WEBHOOK_SECRET } from '@service/server/test-service';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { closeServer, listenOnLoopback } from '../../test/support/loopback.ts';
import { serviceOnChain } from '../../test/support/service-on-chain.ts';
import { completedData, deliver, RECEIVED, revokedData } from '../../test/support/verification/deliveries.ts';
import { addSession } from '../../test/support/verification/sessions.ts';
import { createService } from '../create-service.ts';
import type { VerifierSettings } from '../settings.ts';

const SECOND_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 10).toString('base64')}`;
/** The requests that each verifier got. */
const asked: Record<string, { body: string; headers: Headers }[]> = { main: [], Second: [] };
const servers: Server[] = [];

const on = serviceOnChain({
  options: async () => ({
    verifierUrl: await verifierUrl('main'),
    otherVerifiers: [
      {
        name: 'Second',
        url: await verifierUrl('Second'),
        webhookSecret: SECOND_SECRET,
        previousWebhookSecret: OLD_SECRET,
      },
    ],
  }),
});
const { clock } = on;
let visitor: Visitor;
// A new wallet for each test, because a wallet starts at most ten verifications in a minute.
beforeEach(async () => {
  await on.service.follow();
  visitor = await on.service.visitor();
});
afterAll(async () => {
  for (const server of servers) await closeServer(server);
});

async function verifierUrl(name: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    asked[name]!.push({ body: await text(request), headers });
    response.end(JSON.stringify({ url: `https://${name.toLowerCase()}.example/verify` }));
  });
  servers.push(server);
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

const INVALID = { status: 400, code: 'INVALID_REQUEST' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
const start = (request: object, by = visitor) =>
  by.post<{ sessionId: string; url: string }>('/api/verification-sessions', {
    returnUrl: `${ORIGIN}/verified`,
    ...request,
  });
const statement = () =>
  on.chain.statement(visitor.address, { issuedAt: clock.seconds, expiresAt: clock.seconds + 1_000n });
const completed = (sessionId: string) => completedData(sessionId, statement(), on.chain.keys.verifier);
/** Sends a message with the secret of a verifier. */
const send = (secret: string, options: Partial<Parameters<typeof deliver>[1]>) =>
  deliver(on.service.app, { now: clock.now(), secret, ...options });
const failed = (sessionId: string) => ({
  type: 'verification.failed' as const,
  data: { sessionId, wallet: visitor.address },
});
const stateOf = async (id: string) => (await on.session(id)).state;

test('the configuration lists their names, the default first', async () => {
  const { body } = await visitor.get('/api/config');
  expect(body).toMatchObject({ verifiers: ['main', 'Second'] });
  expect(JSON.stringify(body)).not.toMatch(/whsec|127\.0\.0\.1/);
});

test('a request goes to the verifier that it names, or to the main one', async () => {
  const before = asked.main!.length;
  for (const [request, name, secret] of [
    [{}, 'main', WEBHOOK_SECRET],
    [{ verifier: 'main' }, 'main', WEBHOOK_SECRET],
    [{ verifier: 'Second' }, 'Second', SECOND_SECRET],
    [{ verifier: 'Second' }, 'Second', OLD_SECRET],
  ] as const) {
    const { status, body } = await start(request);
    expect(status).toBe(200);
    expect(body.url).toBe(`https://${name.toLowerCase()}.example/verify`);
    const last = asked[name]!.at(-1)!;
    expect(JSON.parse(last.body)).toMatchObject({ sessionId: body.sessionId, wallet: visitor.address });
    expect(verifyWebhook({ ...last, secret, now: clock.now() })).toMatchObject({ authentic: true });
    expect(await on.session(body.sessionId)).toMatchObject({ verifier: name });
  }
  expect(asked.main).toHaveLength(before + 2);
});

test.each(['second', 'Second ', 'Third', '', '__proto__'])(
  'rejects the name %j with a list',
  async (verifier) => {
    const refused = await start({ verifier });
    expect(refused).toMatchObject({ ...INVALID, message: 'body.verifier must be one of: main, Second.' });
  },
);

test.each([null, 1, ['main'], 'x'.repeat(101)])('rejects what is no name: %j', async (verifier) => {
  expect(await start({ verifier })).toMatchObject(INVALID);
});

test('only the verifier of a session reports about it, by each of its secrets', async () => {
  for (const [verifier, own, foreign] of [
    ['main', WEBHOOK_SECRET, SECOND_SECRET],
    ['Second', SECOND_SECRET, WEBHOOK_SECRET],
    ['Second', OLD_SECRET, WEBHOOK_SECRET],
  ] as const) {
    const { sessionId } = (await start({ verifier })).body;
    expect(await send(foreign, failed(sessionId))).toMatchObject(NOT_FOUND);
    expect(await send(foreign, { data: await completed(sessionId) })).toMatchObject(NOT_FOUND);
    const revoking = { ...statement(), revokedAt: clock.seconds };
    const data = await revokedData(sessionId, revoking, on.chain.keys.verifier);
    expect(await send(foreign, { type: 'credential.revoked', data })).toMatchObject(NOT_FOUND);
    expect(await stateOf(sessionId)).toBe('STARTED');
    expect(await send(own, failed(sessionId))).toEqual(RECEIVED);
    expect(await stateOf(sessionId)).toBe('FAILED');
  }
});

test('a credential of the second verifier is stored', async () => {
  const { sessionId } = (await start({ verifier: 'Second' })).body;
  expect(await send(SECOND_SECRET, { data: await completed(sessionId) })).toEqual(RECEIVED);
  expect(await stateOf(sessionId)).toBe('ISSUING');
});

test('each verifier has its own ids of messages', async () => {
  const [first, second] = [(await start({})).body, (await start({ verifier: 'Second' })).body];
  const id = 'msg_the_same';
  expect(await send(WEBHOOK_SECRET, { id, ...failed(first.sessionId) })).toEqual(RECEIVED);
  expect(await send(SECOND_SECRET, { id, ...failed(second.sessionId) })).toEqual(RECEIVED);
  expect(await stateOf(second.sessionId)).toBe('FAILED');
  const other = (await start({ verifier: 'Second' })).body;
  expect(await send(SECOND_SECRET, { id, ...failed(other.sessionId) })).toMatchObject({ status: 409 });
  expect(await send(OLD_SECRET, { id, ...failed(second.sessionId) })).toEqual(RECEIVED);
});

test('a session of the release before belongs to the main verifier', async () => {
  const id = await addSession(on.database.db, visitor.address, clock.now());
  expect(await send(SECOND_SECRET, failed(id))).toMatchObject(NOT_FOUND);
  expect(await send(WEBHOOK_SECRET, failed(id))).toEqual(RECEIVED);
});

test('the database rejects another verifier of a session', async () => {
  const { sessionId } = (await start({})).body;
  const change = on.database.db.updateTable('verification_session').set({ verifier: 'Second' } as never);
  await expect(change.where('id', '=', sessionId).execute()).rejects.toThrow(
    'whose verification session it is',
  );
});

test.each<[string, Partial<VerifierSettings>]>([
  ['name', { name: 'main' }],
  ['secret', { webhookSecret: WEBHOOK_SECRET }],
  ['secret', { previousWebhookSecret: WEBHOOK_SECRET }],
])('rejects settings in which two verifiers share a %s (%#)', (_what, change) => {
  const { settings, ...rest } = on.service.service;
  const otherVerifiers = [{ ...settings.otherVerifiers![0]!, ...change }];
  const options = { ...rest, database: on.database, settings: { ...settings, otherVerifiers } };
  expect(() => createService(options)).toThrow(RangeError);
});
