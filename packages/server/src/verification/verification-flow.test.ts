import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type Passport,
  passportResponse,
  regionIndexOf,
  statusIndexOf,
  witnessRecord,
} from '@service/contract';
import { createSandboxVerifier, type Listener } from '@service/development/sandbox-verifier';
import { commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import type { Visitor } from '@service/test-support/service';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { StillClock, startChain, type TestChain } from '../../test/support/chain-index/chain.ts';
import { type TestService, testService, WEBHOOK_SECRET } from '../../test/support/read-service.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { deliver, revokedData } from '../../test/support/verification/deliveries.ts';
import type { Database } from '../database/open.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { startCredentialIssuer } from './index.ts';

let clock: StillClock;
let chain: TestChain;
let database: Database;
let service: TestService;
let hosted: Listener;
let site: string;
let visitor: Visitor;
const verifierLog: string[] = [];

beforeAll(async () => {
  clock = new StillClock();
  chain = await startChain({ clock });
  database = await openTestDatabase();
  hosted = await createSandboxVerifier({
    authority: chain.keys.verifier,
    webhookSecret: WEBHOOK_SECRET,
    clock,
    log: pino({ level: 'trace' }, { write: (line: string) => void verifierLog.push(line) }),
  }).listen();
  service = await testService(chain, {
    clock,
    database,
    verifierUrl: hosted.url,
    origin: (port) => `http://127.0.0.1:${port}`,
  });
  site = (await service.listen({ port: 0 })).url;
  await service.follow();
  visitor = await service.visitor();
});
afterAll(async () => {
  await hosted.close();
  await service.close();
  await database.close();
  await chain.net.stop();
});

const start = (returnUrl: string) =>
  visitor.post<{ sessionId: string; url: string; expiresAt: string }>('/api/verification-sessions', {
    returnUrl,
  });
const sessions = () => database.db.selectFrom('verification_session').selectAll().execute();

it('leads a person from the site to the hosted page and a credential on chain, all over HTTP', async () => {
  const { status, body } = await start(`${site}/verified?x=1`);
  expect(status).toBe(200);
  expect(body.expiresAt).toBe((clock.seconds + 3_600n).toString());
  expect(body.url).toMatch(new RegExp(`^${hosted.url}/verify/`));

  const page = await fetch(body.url);
  expect(await page.text()).toContain(visitor.address);
  const form = new URLSearchParams({ region: 'JP', status: 'professional', birthDate: '1984-02-29' });
  const back = await fetch(body.url, { method: 'POST', body: form, redirect: 'manual' });
  expect(back.status).toBe(303);
  const location = new URL(back.headers.get('location') ?? '');
  expect(location.href.split('#')[0]).toBe(`${site}/verified?x=1`);
  const json = Buffer.from(location.hash.slice('#witness='.length), 'base64url').toString();
  const witness = z.decode(witnessRecord, JSON.parse(json));

  expect(await sessions()).toMatchObject([{ id: body.sessionId, state: 'ISSUING' }]);
  const issuer = startCredentialIssuer(service.service);
  await issuer.tick();
  await service.follow();
  await issuer.tick();
  expect(await sessions()).toMatchObject([{ state: 'ISSUED' }]);

  const { credential } = z.decode(
    passportResponse,
    (await visitor.get('/api/passport')).body as never,
  ) as Passport;
  const commitment = commitmentOf({
    region: regionIndexOf('JP')!,
    status: statusIndexOf('professional')!,
    birthDate: parseBirthDate('1984-02-29'),
    salt: BigInt(witness.salt),
  });
  expect(credential).toMatchObject({
    wallet: visitor.address,
    commitment: Buffer.from(fieldToBytes(commitment)).toString('hex'),
    issuedAt: clock.seconds,
    expiresAt: clock.seconds + 365n * 86_400n,
    revoked: false,
  });

  // Neither side stored any part of the witness.
  const written = JSON.stringify([await sessions(), service.log, verifierLog], (_key, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  for (const secret of [witness.salt, '1984-02-29', 'professional']) expect(written).not.toContain(secret);
});

describe('starting a verification', () => {
  it.each([['https://evil.example/'], ['http://127.0.0.1:1/'], ['//evil.example'], ['javascript:alert(1)']])(
    'does not send a person to %s',
    async (returnUrl) => {
      const before = (await sessions()).length;
      expect(await start(returnUrl)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
      expect((await sessions()).length).toBe(before);
    },
  );

  it('rejects a return URL with credentials or a fragment', async () => {
    for (const trick of [site.replace('//', '//me@'), `${site}@evil.example/`, `${site}/#witness=x`]) {
      expect(await start(trick)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    }
  });

  it('needs a session', async () => {
    const response = await service.app.request('/api/verification-sessions', {
      method: 'POST',
      body: JSON.stringify({ returnUrl: `${site}/` }),
      headers: { origin: site, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(401);
  });

  it('is UNAVAILABLE while the verifier is down, and stores nothing', async () => {
    const before = (await sessions()).length;
    const other = await testService(chain, { clock, database, verifierUrl: 'http://127.0.0.1:9' });
    const who = await other.visitor();
    expect(
      await who.post('/api/verification-sessions', { returnUrl: 'http://localhost:3000/' }),
    ).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect((await sessions()).length).toBe(before);
    expect(other.log.join('')).toContain('The verifier did not respond');
    await other.close();
  });

  it('is UNAVAILABLE if the verifier does not accept the service’s signature', async () => {
    const stranger = await createSandboxVerifier({
      authority: chain.keys.verifier,
      webhookSecret: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
      clock,
      log: pino({ level: 'silent' }),
    }).listen();
    const other = await testService(chain, { clock, database, verifierUrl: stranger.url });
    const who = await other.visitor();
    expect(
      await who.post('/api/verification-sessions', { returnUrl: 'http://localhost:3000/' }),
    ).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(other.log.join('')).toMatch(/The verifier answered 401.*check WEBHOOK_SECRET/);
    await other.close();
    await stranger.close();
  });
});

describe('a verifier that', () => {
  /** Returns the response to a wallet when its verifier responds in this way. */
  const startAt = async (answer: (session: Record<string, string>, response: ServerResponse) => unknown) => {
    const verifier = createServer(async (request, response) => {
      await answer(JSON.parse(await text(request)), response);
    });
    await new Promise<void>((resolve) => void verifier.listen(0, '127.0.0.1', resolve));
    const { port } = verifier.address() as AddressInfo;
    const other = await testService(chain, { clock, database, verifierUrl: `http://127.0.0.1:${port}` });
    const who = await other.visitor();
    const answered = await who.post('/api/verification-sessions', { returnUrl: 'http://localhost:3000/' });
    await other.close();
    verifier.closeAllConnections();
    await new Promise((resolve) => void verifier.close(resolve));
    return answered;
  };

  it.each(['verification.failed', 'credential.revoked'] as const)(
    'reports %s before it disconnects is UNAVAILABLE, and its report is kept',
    async (type) => {
      let id = '';
      const answered = await startAt(async ({ sessionId = '', wallet }, response) => {
        id = sessionId;
        const { program } = chain;
        const revoked = { program, genesisHash: chain.net.genesisHash, wallet, revokedAt: clock.seconds };
        const data =
          type === 'verification.failed'
            ? { sessionId, wallet }
            : await revokedData(sessionId, revoked as never, chain.keys.verifier);
        expect(await deliver(service.app, { type, data, now: clock.now() })).toMatchObject({ status: 200 });
        response.writeHead(500).end();
      });
      expect(answered).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      const found = database.db.selectFrom('webhook_delivery').selectAll().where('session_id', '=', id);
      expect(await found.execute()).toHaveLength(1);
    },
  );

  it('never ends its response is UNAVAILABLE, and the connection is closed', async () => {
    let isListenedTo = true;
    const answered = await startAt((_session, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.once('close', () => {
        isListenedTo = false;
      });
      const more = () => {
        while (isListenedTo && response.write(' '.repeat(16_384)));
        if (isListenedTo) response.once('drain', more);
      };
      more();
    });
    expect(answered).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(answered.message).toBe('The verifier answered too many bytes. Try again later.');
  });
});

it('limits the verifications of one wallet per minute, not those of other wallets', async () => {
  const [eager, other] = [await service.visitor(), await service.visitor()];
  const ask = (by: Visitor) => by.post('/api/verification-sessions', { returnUrl: `${site}/` });
  for (let count = 0; count < RATE_LIMITS.verification.points; count++)
    expect((await ask(eager)).status).toBe(200);
  const before = await sessions();
  const refused = await ask(eager);
  expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await sessions()).toHaveLength(before.length);
  expect((await eager.get('/api/passport')).status).toBe(200);
  expect((await ask(other)).status).toBe(200);
});
