import { randomUUID } from 'node:crypto';
import { parseChallenge } from '@service/protocol';
import { ORIGIN, startWorld, type World } from '@service/test-support/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService } from '../create-service.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ program: false });
});
afterAll(() => world.close());

const HOUR = 3_600_000;

test('a challenge is bound to site, wallet, program, cluster, nonce and an expiry five minutes ahead', async () => {
  const visitor = await world.visitor();
  const { challengeId, message, expiresAt } = await visitor.challenge();
  const fields = parseChallenge(message);
  const now = BigInt(Math.floor(world.clock.ms / 1000));
  expect(fields).toMatchObject({
    origin: ORIGIN,
    wallet: visitor.address,
    program: world.program,
    genesisHash: world.net.genesisHash,
    challengeId,
    issuedAt: now,
    expiresAt: now + 300n,
  });
  expect(expiresAt).toBe((now + 300n).toString());
  expect(fields?.nonce).not.toBe(parseChallenge((await visitor.challenge()).message)?.nonce);
});

test('a signature opens a session of twelve hours, logout ends it', async () => {
  const visitor = await world.visitor();
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: null });
  const { challengeId, message } = await visitor.challenge();
  const verified = await visitor.post('/api/auth/verify', {
    challengeId,
    wallet: visitor.address,
    signature: await visitor.sign(message),
  });
  const expiresAt = Math.floor((world.clock.ms + 12 * HOUR) / 1000).toString();
  expect(verified).toMatchObject({ status: 200, body: { wallet: visitor.address, expiresAt } });
  const attributes = verified.headers.get('set-cookie')?.split('; ').slice(1).sort();
  expect(attributes).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure']);
  expect(visitor.cookie).toMatch(/^__Host-session=[\w-]{43}$/);
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: visitor.address });

  const { cookie } = visitor;
  expect((await visitor.post('/api/auth/logout', {})).body).toEqual({ wallet: null });
  visitor.cookie = cookie;
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: null });
  expect((await visitor.operation(randomUUID())).code).toBe('AUTHENTICATION_REQUIRED');
});

test('every way to fail an answer is the same refusal', async () => {
  const [visitor, stranger] = [await world.visitor(), await world.visitor()];
  const wallet = visitor.address;
  const { challengeId, message } = await visitor.challenge();
  const signature = await visitor.sign(message);
  const answers = {
    'another wallet signed': async () => ({
      challengeId: (await visitor.challenge()).challengeId,
      wallet,
      signature: await stranger.sign(message),
    }),
    'another message was signed': async () => ({
      challengeId: (await visitor.challenge()).challengeId,
      wallet,
      signature,
    }),
    'the challenge is another wallet’s': async () => {
      const theirs = await stranger.challenge();
      return { challengeId: theirs.challengeId, wallet, signature: await visitor.sign(theirs.message) };
    },
    'another wallet signed its own challenge': async () => {
      const theirs = await stranger.challenge();
      return { challengeId: theirs.challengeId, wallet, signature: await stranger.sign(theirs.message) };
    },
    'the challenge is unknown': async () => ({ challengeId: randomUUID(), wallet, signature }),
    'the challenge has expired': async () => {
      const late = await visitor.challenge();
      world.clock.ms += 300_000;
      return { challengeId: late.challengeId, wallet, signature: await visitor.sign(late.message) };
    },
  };
  const refusals = new Set<string>();
  for (const [name, answer] of Object.entries(answers)) {
    const refused = await visitor.post('/api/auth/verify', await answer());
    expect(refused, name).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(refused.headers.get('set-cookie'), name).toBeNull();
    refusals.add(refused.message ?? '');
  }
  expect(refusals.size).toBe(1);
  // The clock has moved on, so that the first challenge is over too.
  expect((await visitor.post('/api/auth/verify', { challengeId, wallet, signature })).status).toBe(401);
});

test('a challenge can be answered until just before its expiry, and only once, also by two at once', async () => {
  const visitor = await world.visitor();
  const { challengeId, message } = await visitor.challenge();
  const answer = { challengeId, wallet: visitor.address, signature: await visitor.sign(message) };
  world.clock.ms += 299_999;
  const both = await Promise.all([
    visitor.post('/api/auth/verify', answer),
    visitor.post('/api/auth/verify', answer),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a wrong answer uses the challenge up', async () => {
  const [visitor, stranger] = [await world.visitor(), await world.visitor()];
  const { challengeId, message } = await visitor.challenge();
  const answer = (signature: string) =>
    visitor.post('/api/auth/verify', { challengeId, wallet: visitor.address, signature });
  expect((await answer(await stranger.sign(message))).status).toBe(401);
  expect((await answer(await visitor.sign(message))).status).toBe(401);
});

test('an expired session is told from none, until it is swept', async () => {
  const visitor = await (await world.visitor()).signIn();
  world.clock.ms += 12 * HOUR - 1;
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: visitor.address });
  world.clock.ms += 1;
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: null });
  expect(await visitor.operation(randomUUID())).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' });
  await world.created.tick();
  expect((await visitor.operation(randomUUID())).code).toBe('SESSION_EXPIRED');
  world.clock.ms += 7 * 24 * HOUR;
  await world.created.tick();
  expect((await visitor.operation(randomUUID())).code).toBe('AUTHENTICATION_REQUIRED');
});

test('signing in again ends the session before', async () => {
  const visitor = await (await world.visitor()).signIn();
  const before = visitor.cookie;
  await visitor.signIn();
  expect(visitor.cookie).not.toBe(before);
  visitor.cookie = before;
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: null });
});

test('whoever reads the database has no token', async () => {
  const visitor = await (await world.visitor()).signIn();
  const token = visitor.cookie?.split('=')[1] ?? '';
  expect(token).toHaveLength(43);
  const rows = await world.database.db.selectFrom('session').selectAll().execute();
  expect(JSON.stringify(rows, (_, value) => String(value))).not.toContain(token);
  expect(world.logged.join('\n')).not.toContain(token);
});

test('on http the cookie has the name that browsers take there', async () => {
  const { settings, ...rest } = world.created.service;
  const plain = createService({
    ...rest,
    database: world.database,
    settings: { ...settings, origin: 'http://localhost:3000' },
  });
  const visitor = await world.visitor(plain);
  Object.assign(visitor, { origin: 'http://localhost:3000' });
  await visitor.signIn();
  expect(visitor.cookie).toMatch(/^session=/);
});
