/** A service whose pages have several origins: each challenge and each session belongs to one of them. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseChallenge } from '@service/protocol';
import { ORIGIN, Visitor } from '@service/server/test-service';
import { describe, expect, test } from 'vitest';
import { closeServer, listenOnLoopback } from '../../test/support/loopback.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { createService } from '../create-service.ts';

const WWW = 'https://www.site.example';
const LOCAL = 'http://localhost:5173';
const world = testWorld({ program: false, otherOrigins: [WWW, LOCAL] });

const REFUSED = { status: 403, code: 'ORIGIN_MISMATCH' };
const SIGNED_OUT = { status: 401, code: 'AUTHENTICATION_REQUIRED' };
/** A wallet whose page has an origin. */
const visitorOf = async (origin: string) => {
  const { app, signer } = await world.visitor();
  return new Visitor(app, signer, origin);
};
/** The same wallet and cookie on a page of another origin. */
function on(origin: string, { app, signer, cookie }: Visitor): Visitor {
  const moved = new Visitor(app, signer, origin);
  moved.cookie = cookie;
  return moved;
}
const sessionOf = (visitor: Visitor, headers: Record<string, string> = {}) =>
  visitor.send('/api/auth/session', { method: 'GET', headers });
const readOperation = (visitor: Visitor, headers: Record<string, string> = {}) =>
  visitor.send(`/api/operations/${randomUUID()}`, { method: 'GET', headers });
const answerOf = async (visitor: Visitor) => {
  const { challengeId, message } = await visitor.challenge();
  return { challengeId, wallet: visitor.address, signature: await visitor.sign(message) };
};

describe.each([ORIGIN, WWW, LOCAL])('a page of %s', (origin) => {
  test('gets a challenge that names it, and a session', async () => {
    const visitor = await visitorOf(origin);
    expect(parseChallenge((await visitor.challenge()).message)).toMatchObject({ origin });
    await visitor.signIn();
    expect(visitor.cookie).toMatch(origin === LOCAL ? /^session=/ : /^__Host-session=/);
    // A browser sends no Origin with a GET to the page's own origin.
    expect(await sessionOf(visitor)).toMatchObject({ body: { wallet: visitor.address } });
    expect(await readOperation(visitor)).toMatchObject({ status: 404 });
    expect(await readOperation(visitor, { Origin: origin })).toMatchObject({ status: 404 });
    const { cookie } = visitor;
    expect(await visitor.post('/api/auth/logout', {})).toMatchObject({ status: 200 });
    visitor.cookie = cookie;
    expect(await readOperation(visitor)).toMatchObject(SIGNED_OUT);
  });

  test.each([ORIGIN, WWW, LOCAL].filter((other) => other !== origin))(
    'cannot use a challenge or a session of %s',
    async (other) => {
      const visitor = await visitorOf(other);
      const answer = await answerOf(visitor);
      expect(await on(origin, visitor).post('/api/auth/verify', answer)).toMatchObject(SIGNED_OUT);
      // The attempt used the challenge up.
      expect(await visitor.post('/api/auth/verify', answer)).toMatchObject(SIGNED_OUT);

      await visitor.signIn();
      const stolen = on(origin, visitor);
      expect(await stolen.post('/api/verification-sessions', { returnUrl: `${origin}/` })).toMatchObject(
        REFUSED,
      );
      expect(await readOperation(stolen, { Origin: origin })).toMatchObject(REFUSED);
      expect(
        await stolen.send('/api/passport', { method: 'GET', headers: { Origin: origin } }),
      ).toMatchObject(REFUSED);
      expect(await sessionOf(stolen, { Origin: origin })).toMatchObject({ body: { wallet: null } });
      expect((await stolen.post('/api/auth/logout', {})).status).toBe(200);
      // The session goes on where it belongs.
      expect(await sessionOf(visitor)).toMatchObject({ body: { wallet: visitor.address } });
    },
  );
});

test.each([
  'null',
  WWW.toUpperCase(),
  'https://WWW.site.example',
  `${WWW}/`,
  `${WWW}:443`,
  `${WWW}:8443`,
  'http://www.site.example',
  'https://www.site.example.evil.example',
  'https://localhost:5173',
  'http://localhost:5174',
  `${ORIGIN},${WWW}`,
  `${ORIGIN} ${WWW}`,
])('the Origin %s is not one of the site', async (origin) => {
  const visitor = await (await visitorOf(WWW)).signIn();
  expect(await on(origin, visitor).post('/api/auth/challenge', { wallet: visitor.address })).toMatchObject(
    REFUSED,
  );
  expect(await readOperation(visitor, { Origin: origin })).toMatchObject(REFUSED);
  expect(await sessionOf(visitor, { Origin: origin })).toMatchObject({ body: { wallet: null } });
});

test('a verification returns to a page of the origin that asked, and reports to the main origin', async () => {
  const asked: object[] = [];
  const verifier = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    response.end('{"url":"https://verifier.example/verify/1"}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(verifier)}`;
  const { settings, ...rest } = world.created.service;
  const { app } = createService({
    ...{ ...rest, database: world.database },
    settings: { ...settings, verifier: { ...settings.verifier, url } },
  });
  const visitor = await new Visitor(app, (await world.visitor()).signer, WWW).signIn();
  const start = (returnUrl: string) => visitor.post('/api/verification-sessions', { returnUrl });
  expect(await start(`${ORIGIN}/verified`)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect(await start(`${WWW}/verified`)).toMatchObject({ status: 200 });
  await closeServer(verifier);
  expect(asked).toEqual([
    expect.objectContaining({
      siteOrigin: WWW,
      returnUrl: `${WWW}/verified`,
      webhookUrl: `${ORIGIN}/api/verifier/webhook`,
    }),
  ]);
});

test('a POST needs an Origin, and the refusal names all of them', async () => {
  const visitor = await world.visitor();
  const headers = { 'Content-Type': 'application/json' };
  const refused = await visitor.send('/api/auth/logout', { method: 'POST', body: '{}', headers });
  expect(refused).toMatchObject({
    ...REFUSED,
    message: `Every POST must have the Origin ${ORIGIN} or ${WWW} or ${LOCAL}.`,
  });
});

test('a session counts only in the cookie of its origin, which others of the domain cannot set', async () => {
  const attacker = await (await visitorOf(LOCAL)).signIn();
  const token = attacker.cookie!.split('=')[1];
  const victim = await visitorOf(WWW);
  victim.cookie = `__Host-session=${token}`;
  expect(await readOperation(victim)).toMatchObject(SIGNED_OUT);
  const own = await (await visitorOf(WWW)).signIn();
  own.cookie = own.cookie!.replace('__Host-', '');
  expect(await readOperation(own)).toMatchObject(SIGNED_OUT);
  // Of two sessions, the page's own says why it does not count.
  const late = await (await visitorOf(WWW)).signIn();
  world.clock.ms += 12 * 3_600_000;
  const other = await (await visitorOf(LOCAL)).signIn();
  late.cookie = `${late.cookie}; ${other.cookie}`;
  expect(await readOperation(late, { Origin: WWW })).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' });
  // With both cookies, the page's own counts.
  const both = await (await visitorOf(WWW)).signIn();
  both.cookie = `session=${token}; ${both.cookie}`;
  expect(await sessionOf(both)).toMatchObject({ body: { wallet: both.address } });
});

test('a session of the release before belongs to the main origin', async () => {
  const visitor = await (await visitorOf(ORIGIN)).signIn();
  await world.database.db
    .updateTable('session')
    .set({ origin: null })
    .where('wallet', '=', visitor.address)
    .execute();
  expect(await readOperation(visitor, { Origin: ORIGIN })).toMatchObject({ status: 404 });
  expect(await readOperation(visitor, { Origin: WWW })).toMatchObject(REFUSED);
  const { cookie } = visitor;
  await visitor.post('/api/auth/logout', {});
  visitor.cookie = cookie;
  expect(await readOperation(visitor)).toMatchObject(SIGNED_OUT);
});

test('a session ends when its origin leaves the settings', async () => {
  const { settings, ...rest } = world.created.service;
  const visitor = await (await visitorOf(WWW)).signIn();
  const { app } = createService({
    ...rest,
    database: world.database,
    settings: { ...settings, otherOrigins: [] },
  });
  const later = new Visitor(app, visitor.signer, ORIGIN);
  later.cookie = visitor.cookie;
  expect(await readOperation(later)).toMatchObject(SIGNED_OUT);
});

test.each(['https://www.site.example/', 'HTTPS://www.site.example', 'www.site.example', 'null'])(
  'rejects %s as another origin in the settings',
  (other) => {
    const { settings, ...rest } = world.created.service;
    const options = { ...rest, database: world.database, settings: { ...settings, otherOrigins: [other] } };
    expect(() => createService(options)).toThrow(RangeError);
  },
);
