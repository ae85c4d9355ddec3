import { randomUUID } from 'node:crypto';
import { parseChallenge } from '@service/protocol';
import { ORIGIN, Visitor } from '@service/server/test-service';
import { expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { createService } from '../create-service.ts';
import { startSweeper } from '../sweeper.ts';
import { newToken } from './session.ts';

const world = testWorld({ program: false });

const HOUR = 3_600_000;

test('no token of 2,000 looks like an address, which clients show in errors', () => {
  // One random text in 70 is in base58.
  const tokens = Array.from({ length: 2_000 }, newToken);
  expect(tokens.filter((token) => /^[1-9A-HJ-NP-Za-km-z]+$/.test(token))).toEqual([]);
  expect(new Set(tokens).size).toBe(2_000);
});

test('a challenge names the site, wallet, program, cluster, nonce and an expiry in five minutes', async () => {
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

/** The wallet of the visitor's session. */
const sessionOf = async (visitor: Visitor) =>
  (await visitor.get<{ wallet: string | null }>('/api/auth/session')).body.wallet;
/** An answer to a challenge of `visitor`, with a signature over its message by `signer`. */
const answerOf = async (visitor: Visitor, signer = visitor) => {
  const { challengeId, message } = await visitor.challenge();
  return { challengeId, wallet: visitor.address, signature: await signer.sign(message) };
};

test('a signature opens a session of twelve hours, and logout ends it', async () => {
  const visitor = await world.visitor();
  expect(await sessionOf(visitor)).toBeNull();
  const verified = await visitor.post('/api/auth/verify', await answerOf(visitor));
  const expiresAt = Math.floor((world.clock.ms + 12 * HOUR) / 1000).toString();
  expect(verified).toMatchObject({ status: 200, body: { wallet: visitor.address, expiresAt } });
  const attributes = verified.headers.get('set-cookie')?.split('; ').slice(1).sort();
  expect(attributes).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure']);
  expect(visitor.cookie).toMatch(/^__Host-session=[\w-]{43}$/);
  expect((await visitor.get('/api/auth/session')).body).toEqual({ wallet: visitor.address });

  const { cookie } = visitor;
  expect((await visitor.post('/api/auth/logout', {})).body).toEqual({ wallet: null });
  visitor.cookie = cookie;
  expect(await sessionOf(visitor)).toBeNull();
  expect((await visitor.operation(randomUUID())).code).toBe('AUTHENTICATION_REQUIRED');
});

test('every wrong answer gets the same error', async () => {
  const [visitor, other] = [await world.visitor(), await world.visitor()];
  const wallet = visitor.address;
  const { challengeId, message } = await visitor.challenge();
  const signature = await visitor.sign(message);
  const answers = {
    'another wallet signed': () => answerOf(visitor, other),
    'another message was signed': async () => ({ ...(await answerOf(visitor)), signature }),
    'the challenge belongs to another wallet': async () => ({ ...(await answerOf(other, visitor)), wallet }),
    'another wallet signed its own challenge': async () => ({ ...(await answerOf(other)), wallet }),
    'the challenge is unknown': async () => ({ challengeId: randomUUID(), wallet, signature }),
    'the challenge has expired': async () => {
      const late = await answerOf(visitor);
      world.clock.ms += 300_000;
      return late;
    },
  };
  const refusals = new Set<string | undefined>();
  for (const [name, answer] of Object.entries(answers)) {
    const refused = await visitor.post('/api/auth/verify', await answer());
    expect(refused, name).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(refused.headers.get('set-cookie'), name).toBeNull();
    refusals.add(refused.message);
  }
  expect(refusals.size).toBe(1);
  // The clock has advanced, so the first challenge has expired too.
  expect((await visitor.post('/api/auth/verify', { challengeId, wallet, signature })).status).toBe(401);
});

test('a challenge can be answered until its expiry, and only once, even by concurrent requests', async () => {
  const visitor = await world.visitor();
  const answer = await answerOf(visitor);
  world.clock.ms += 299_999;
  const both = await Promise.all([1, 2].map(() => visitor.post('/api/auth/verify', answer)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a wrong answer deletes the challenge', async () => {
  const [visitor, other] = [await world.visitor(), await world.visitor()];
  const { challengeId, message } = await visitor.challenge();
  const answer = (signature: string) =>
    visitor.post('/api/auth/verify', { challengeId, wallet: visitor.address, signature });
  expect((await answer(await other.sign(message))).status).toBe(401);
  expect((await answer(await visitor.sign(message))).status).toBe(401);
});

test('an expired session gets SESSION_EXPIRED until the sweeper deletes it', async () => {
  const visitor = await world.signedIn();
  world.clock.ms += 12 * HOUR - 1;
  expect(await sessionOf(visitor)).toBe(visitor.address);
  world.clock.ms += 1;
  expect(await sessionOf(visitor)).toBeNull();
  expect(await visitor.operation(randomUUID())).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' });
  const sweeper = startSweeper(world.created.service);
  await sweeper.tick();
  expect((await visitor.operation(randomUUID())).code).toBe('SESSION_EXPIRED');
  world.clock.ms += 7 * 24 * HOUR;
  await sweeper.tick();
  await sweeper.stop();
  expect((await visitor.operation(randomUUID())).code).toBe('AUTHENTICATION_REQUIRED');
});

test('signing in again ends the previous session', async () => {
  const visitor = await world.signedIn();
  const before = visitor.cookie;
  await visitor.signIn();
  expect(visitor.cookie).not.toBe(before);
  visitor.cookie = before;
  expect(await sessionOf(visitor)).toBeNull();
});

test('the database and the log contain no token', async () => {
  const visitor = await world.signedIn();
  const token = visitor.cookie?.split('=')[1] ?? '';
  expect(token).toHaveLength(43);
  const rows = await world.database.db.selectFrom('session').selectAll().execute();
  expect(JSON.stringify(rows, (_, value) => String(value))).not.toContain(token);
  expect(world.logged.join('\n')).not.toContain(token);
});

test('on http the cookie has no prefix, which browsers would reject', async () => {
  const { settings, ...rest } = world.created.service;
  const origin = 'http://localhost:3000';
  const { app } = createService({ ...rest, database: world.database, settings: { ...settings, origin } });
  const visitor = await new Visitor(app, (await world.visitor()).signer, origin).signIn();
  expect(visitor.cookie).toMatch(/^session=/);
});
