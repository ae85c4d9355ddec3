import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { regionIndexOf, statusIndexOf, witnessRecord } from '@service/contract';
import { commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import { ORIGIN, Visitor } from '@service/server/test-service';
import { startSandboxVerifier } from '@service/verifier';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { closeServer, listenOnLoopback } from '../../test/support/loopback.ts';
import type { TestService } from '../../test/support/service-on-chain.ts';
import { deliver, revokedData } from '../../test/support/verification/deliveries.ts';
import { flowOnChain, PERSON } from '../../test/support/verification/flow-on-chain.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';

const on = flowOnChain();
const { clock } = on;
let visitor: Visitor;

beforeAll(async () => {
  await on.service.follow();
  visitor = await on.service.visitor();
});

const INVALID = { status: 400, code: 'INVALID_REQUEST' };
const UNAVAILABLE = { status: 503, code: 'UNAVAILABLE' };
/** Starts a verification of a new wallet at another service. */
const startAtOther = async (other: TestService) => on.start(await other.visitor(), `${ORIGIN}/`);
const sessions = () => on.database.db.selectFrom('verification_session').selectAll().execute();

it('leads a person from the site to the hosted page and a credential on chain, all over HTTP', async () => {
  const { status, body } = await on.start(visitor, `${on.site}/verified?x=1`);
  expect(status).toBe(200);
  expect(body.expiresAt).toBe((clock.seconds + 3_600n).toString());
  expect(body.url).toMatch(new RegExp(`^${on.verifier.url}/verify/`));

  const page = await fetch(body.url);
  expect(await page.text()).toContain(visitor.address);
  const location = new URL((await on.complete(body.url)).location);
  expect(location.href.split('#')[0]).toBe(`${on.site}/verified?x=1`);
  const json = Buffer.from(location.hash.slice('#witness='.length), 'base64url').toString();
  const witness = z.decode(witnessRecord, JSON.parse(json));

  expect(await sessions()).toMatchObject([{ id: body.sessionId, state: 'ISSUING' }]);
  await on.settle();
  expect(await sessions()).toMatchObject([{ state: 'ISSUED' }]);

  const { credential } = await on.passport(visitor);
  const commitment = commitmentOf({
    region: regionIndexOf(PERSON.region)!,
    status: statusIndexOf(PERSON.status)!,
    birthDate: parseBirthDate(PERSON.birthDate),
    salt: BigInt(witness.salt),
    person: BigInt(witness.person),
  });
  expect(credential).toMatchObject({
    wallet: visitor.address,
    commitment: Buffer.from(fieldToBytes(commitment)).toString('hex'),
    issuedAt: clock.seconds,
    expiresAt: clock.seconds + 365n * 86_400n,
    revoked: false,
  });

  // Neither side stored any part of the witness.
  const written = JSON.stringify([await sessions(), on.service.log, on.verifierLog], (_key, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  for (const secret of [witness.salt, witness.person, PERSON.birthDate, PERSON.status])
    expect(written).not.toContain(secret);
});

describe('starting a verification', () => {
  it.each([['https://evil.example/'], ['http://127.0.0.1:1/'], ['//evil.example'], ['javascript:alert(1)']])(
    'does not send a person to %s',
    async (returnUrl) => {
      const before = (await sessions()).length;
      expect(await on.start(visitor, returnUrl)).toMatchObject(INVALID);
      expect((await sessions()).length).toBe(before);
    },
  );

  it('rejects a return URL with credentials or a fragment', async () => {
    for (const trick of [
      on.site.replace('//', '//me@'),
      `${on.site}@evil.example/`,
      `${on.site}/#witness=x`,
    ]) {
      expect(await on.start(visitor, trick)).toMatchObject(INVALID);
    }
  });

  it('needs a session', async () => {
    const unknown = new Visitor(on.service.app, visitor.signer, on.site);
    expect((await on.start(unknown)).status).toBe(401);
  });

  it('is UNAVAILABLE while the verifier is down, and stores nothing', async () => {
    const before = (await sessions()).length;
    const other = await on.another();
    expect(await startAtOther(other)).toMatchObject(UNAVAILABLE);
    expect((await sessions()).length).toBe(before);
    expect(other.log.join('')).toContain('The verifier did not respond');
    await other.close();
  });

  it('is UNAVAILABLE if the verifier does not accept the service’s signature', async () => {
    const verifier = await startSandboxVerifier({
      authority: on.chain.keys.verifier.keyPair,
      program: on.chain.program,
      genesisHash: on.chain.net.genesisHash,
      siteOrigins: [ORIGIN],
      webhookUrl: `${ORIGIN}/api/verifier/webhook`,
      webhookSecret: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
      personKey: new Uint8Array(32),
      clock,
      log: pino({ level: 'silent' }),
    });
    const other = await on.another({ verifierUrl: verifier.url });
    expect(await startAtOther(other)).toMatchObject(UNAVAILABLE);
    expect(other.log.join('')).toMatch(/The verifier answered 401.*check WEBHOOK_SECRET/);
    await other.close();
    await verifier.close();
  });
});

describe('a verifier that', () => {
  /** Returns the response to a wallet when its verifier responds in this way. */
  const startAt = async (answer: (session: Record<string, string>, response: ServerResponse) => unknown) => {
    const verifier = createServer(async (request, response) => {
      await answer(JSON.parse(await text(request)), response);
    });
    const other = await on.another({ verifierUrl: `http://127.0.0.1:${await listenOnLoopback(verifier)}` });
    const answered = await startAtOther(other);
    await other.close();
    verifier.closeAllConnections();
    await closeServer(verifier);
    return answered;
  };

  it.each(['verification.failed', 'credential.revoked'] as const)(
    'reports %s before it disconnects is UNAVAILABLE, and its report is kept',
    async (type) => {
      let id = '';
      const answered = await startAt(async ({ sessionId = '', wallet }, response) => {
        id = sessionId;
        const times = { issuedAt: 0n, expiresAt: 0n };
        const revoked = { ...on.chain.statement(wallet as never, times), revokedAt: clock.seconds };
        const data =
          type === 'verification.failed'
            ? { sessionId, wallet }
            : await revokedData(sessionId, revoked, on.chain.keys.verifier);
        expect(await deliver(on.service.app, { type, data, now: clock.now() })).toMatchObject({
          status: 200,
        });
        response.writeHead(500).end();
      });
      expect(answered).toMatchObject(UNAVAILABLE);
      const found = on.database.db.selectFrom('webhook_delivery').selectAll().where('session_id', '=', id);
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
    expect(answered).toMatchObject(UNAVAILABLE);
    expect(answered.message).toBe('The verifier answered too many bytes. Try again later.');
  });
});

it('limits the verifications of one wallet per minute, not those of other wallets', async () => {
  const [eager, other] = [await on.service.visitor(), await on.service.visitor()];
  for (let count = 0; count < RATE_LIMITS.verification.points; count++)
    expect((await on.start(eager)).status).toBe(200);
  const before = await sessions();
  const refused = await on.start(eager);
  expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await sessions()).toHaveLength(before.length);
  expect((await eager.get('/api/passport')).status).toBe(200);
  expect((await on.start(other)).status).toBe(200);
});
