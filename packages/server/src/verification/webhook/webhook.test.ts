import { randomUUID } from 'node:crypto';
import { MAX_CREDENTIAL_AGE_SECONDS } from '@service/protocol';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { ORIGIN } from '@service/server/test-service';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { serviceOnChain } from '../../../test/support/service-on-chain.ts';
import {
  completedData,
  type DeliverOptions,
  deliver,
  RECEIVED,
  revokedData,
} from '../../../test/support/verification/deliveries.ts';
import { addSession } from '../../../test/support/verification/sessions.ts';

const on = serviceOnChain();
const { clock } = on;
let wallet: Address;
let sessionId: string;
/** An id for messages. */
let id: string;

beforeEach(async () => {
  await on.service.follow();
  wallet = (await generateKeyPairSigner()).address;
  sessionId = await openSession();
  id = `msg_${randomUUID()}`;
});

const openSession = () => addSession(on.database.db, wallet, clock.now());
const statement = ({ commitment, ...times }: Partial<ReturnType<typeof on.chain.statement>> = {}) => ({
  ...on.chain.statement(wallet, { issuedAt: clock.seconds, expiresAt: clock.seconds + 1_000n, ...times }),
  ...(commitment && { commitment }),
});
const completed = (changes = {}, authority: KeyPairSigner = on.chain.keys.verifier) =>
  completedData(sessionId, statement(changes), authority);
const send = (options: Partial<DeliverOptions>) => deliver(on.service.app, { now: clock.now(), ...options });
const failVerification = () => send({ type: 'verification.failed', data: { sessionId, wallet } });
const session = () => on.session(sessionId);
const expectState = async (state: string) => expect(await session()).toMatchObject({ state });
const deliveries = async () => {
  const stored = on.database.db.selectFrom('webhook_delivery').selectAll();
  return (await stored.where('session_id', '=', sessionId).execute()).map(({ type }) => type).sort();
};

const FORBIDDEN = { status: 403, code: 'ORIGIN_MISMATCH' };
const INVALID = { status: 400, code: 'INVALID_REQUEST' };
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
const STALE = { status: 503, code: 'INDEX_STALE' };

describe('a completed verification', () => {
  it('is stored with its verifier before the response', async () => {
    expect(await send({ data: await completed() })).toEqual(RECEIVED);
    expect(await session()).toMatchObject({
      state: 'ISSUING',
      verifier_authority: on.chain.keys.verifier.address,
      issued_at: clock.seconds,
      credential_expires_at: clock.seconds + 1_000n,
      sent_signature: null,
    });
    expect(await deliveries()).toEqual(['verification.completed']);
  });

  it('is accepted without an Origin or from the site only', async () => {
    const data = await completed();
    for (const origin of ['https://evil.example', 'null']) {
      expect(await send({ data, headers: { origin } })).toMatchObject(FORBIDDEN);
    }
    await expectState('STARTED');
    expect(await send({ data, headers: { origin: ORIGIN } })).toEqual(RECEIVED);
  });

  it('is accepted only with the secret and a recent timestamp', async () => {
    const data = await completed();
    for (const forged of [
      { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` },
      { now: clock.now() - 301_000 },
      { now: clock.now() + 301_000 },
      { headers: { 'webhook-signature': 'v1,AAAA' } },
      { headers: { 'webhook-id': 'msg_other' } },
      { headers: { 'webhook-timestamp': '' } },
    ]) {
      expect(await send({ data, ...forged })).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' });
    }
    await expectState('STARTED');
    expect(await send({ data, now: clock.now() - 300_000 })).toEqual(RECEIVED);
  });

  it('is rejected before its body is read if it is not signed', async () => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(await send({ body: '{"type":"nonsense"}', headers })).toMatchObject({ status: 401 });
  });

  it('is rejected without a session of its wallet', async () => {
    const data = await completed();
    expect(await send({ data: { ...data, sessionId: randomUUID() } })).toMatchObject(NOT_FOUND);
    const other = (await generateKeyPairSigner()).address;
    expect(await send({ data: { ...data, wallet: other } })).toMatchObject(NOT_FOUND);
    await expectState('STARTED');
    expect(await deliveries()).toEqual([]);
  });

  it('is accepted while the session is open, and a little later', async () => {
    const late = await openSession();
    on.pass(3_900);
    await on.service.follow();
    const inTime = await completed();
    expect(await send({ data: inTime })).toEqual(RECEIVED);
    clock.pass(1);
    expect(await send({ data: { ...inTime, sessionId: late } })).toMatchObject(NOT_FOUND);
  });

  it.each<[string, (data: Awaited<ReturnType<typeof completed>>) => object]>([
    ['no commitment', ({ commitment: _, ...data }) => data],
    ['no signature', ({ signature: _, ...data }) => data],
    ['no issuedAt', ({ issuedAt: _, ...data }) => data],
    ['no expiry', ({ expiresAt: _, ...data }) => data],
    ['another commitment than was signed', (data) => ({ ...data, commitment: '1'.padStart(64, '0') })],
    ['another expiry than was signed', (data) => ({ ...data, expiresAt: data.expiresAt + 1n })],
    ['another issuedAt than was signed', (data) => ({ ...data, issuedAt: data.issuedAt - 1n })],
  ])('with %s is rejected', async (_what, change) => {
    const data = change(await completed());
    expect(await send({ data })).toMatchObject(INVALID);
    await expectState('STARTED');
    expect(await deliveries()).toEqual([]);
  });

  it.each<[string, () => object]>([
    ['issued too far in the future', () => ({ issuedAt: clock.seconds + 301n })],
    ['expired', () => ({ issuedAt: clock.seconds - 10n, expiresAt: clock.seconds })],
    ['ending before it begins', () => ({ issuedAt: clock.seconds + 100n, expiresAt: clock.seconds + 50n })],
    ['too long', () => ({ expiresAt: clock.seconds + MAX_CREDENTIAL_AGE_SECONDS + 1n })],
    ['of the zero commitment', () => ({ commitment: new Uint8Array(32) })],
    ['of a commitment that is not a field element', () => ({ commitment: bytesOf(FIELD_ORDER) })],
  ])('%s is rejected even if it is signed', async (_what, changes) => {
    expect(await send({ data: await completed(changes()) })).toMatchObject(INVALID);
    await expectState('STARTED');
  });

  it('is accepted at the limits of the program', async () => {
    const data = await completed({
      issuedAt: clock.seconds + 300n,
      expiresAt: clock.seconds + 300n + MAX_CREDENTIAL_AGE_SECONDS,
      commitment: bytesOf(FIELD_ORDER - 1n),
    });
    expect(await send({ data })).toEqual(RECEIVED);
  });

  it('must be signed by an active verifier', async () => {
    for (const other of [await generateKeyPairSigner(), on.chain.keys.governance]) {
      expect(await send({ data: await completed({}, other) })).toMatchObject(INVALID);
    }
    await on.setVerifier(false);
    expect(await send({ data: await completed() })).toMatchObject(INVALID);
    await on.setVerifier(true);
    expect(await send({ data: await completed() })).toEqual(RECEIVED);
  });

  it('is rejected while the index is stale, and may be sent again', async () => {
    const data = await completed();
    on.pass(31);
    expect(await send({ id, data })).toMatchObject(STALE);
    await on.service.follow();
    expect(await send({ id, data })).toEqual(RECEIVED);
    await expectState('ISSUING');
  });
});

describe('a repeat', () => {
  it('of an id gets the same response and changes nothing', async () => {
    const data = await completed();
    await send({ id, data });
    const before = await session();
    clock.pass(5);
    expect(await send({ id, data })).toEqual(RECEIVED);
    expect(await session()).toEqual(before);
    expect(await deliveries()).toHaveLength(1);
  });

  it('of an id gets the same response when a new message would be rejected', async () => {
    const data = await completed();
    await send({ id, data });
    on.pass(31);
    expect(await send({ data })).toMatchObject(STALE);
    expect(await send({ id, data })).toEqual(RECEIVED);
  });

  it('of an id with another message is rejected, at once and later', async () => {
    const data = await Promise.all([0n, 1n].map((ago) => completed({ issuedAt: clock.seconds - ago })));
    const answers = await Promise.all(data.map((each) => send({ id, data: each })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expectState('ISSUING');
    expect(await deliveries()).toHaveLength(1);
    const failed = { type: 'verification.failed', data: { sessionId, wallet } } as const;
    expect(await send({ id, ...failed })).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    await expectState('ISSUING');
  });

  it('of an id at the same time counts once', async () => {
    const data = await completed();
    const answers = await Promise.all([send({ id, data }), send({ id, data }), send({ id, data })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await deliveries()).toHaveLength(1);
  });

  it('of the same credential under a new id is accepted; another credential is rejected', async () => {
    const data = await completed();
    await send({ data });
    expect(await send({ data })).toEqual(RECEIVED);
    const other = await completed({ issuedAt: clock.seconds - 1n });
    expect(await send({ data: other })).toMatchObject(INVALID);
    expect((await session()).issued_at).toBe(clock.seconds);
    expect(await deliveries()).toHaveLength(2);
  });
});

describe('the other messages', () => {
  it('a failed verification ends the session, and no credential follows', async () => {
    expect(await failVerification()).toEqual(RECEIVED);
    expect(await session()).toMatchObject({ state: 'FAILED', failure: expect.stringContaining('verifier') });
    expect(await send({ data: await completed() })).toMatchObject({ status: 400 });
  });

  it('a failed verification does not undo a completed one', async () => {
    await send({ data: await completed() });
    await failVerification();
    await expectState('ISSUING');
  });
});

describe('a revocation', () => {
  const revoked = (revokedAt = clock.seconds, authority: KeyPairSigner = on.chain.keys.verifier) =>
    revokedData(sessionId, { ...statement(), revokedAt }, authority);
  const revoke = (data: object, rest: object = {}) => send({ type: 'credential.revoked', data, ...rest });
  const revocations = () =>
    on.database.db.selectFrom('credential_revocation').selectAll().where('wallet', '=', wallet).execute();

  it('is stored with the verifier that signed it, before it is answered', async () => {
    await send({ data: await completed() });
    const before = await session();
    const data = await revoked();
    expect(await revoke(data)).toEqual(RECEIVED);
    const [revocation, ...more] = await revocations();
    expect(revocation).toMatchObject({
      state: 'REVOKING',
      verifier_authority: on.chain.keys.verifier.address,
      revoked_at: clock.seconds,
    });
    expect(more).toEqual([]);
    // PostgreSQL gives a Buffer, PGlite a Uint8Array.
    expect(Buffer.from(revocation!.signature).toString('base64')).toBe(data.signature);
    expect(await session()).toEqual(before);
    expect(await deliveries()).toEqual(['credential.revoked', 'verification.completed']);
  });

  it('is accepted before the verification of its session', async () => {
    expect(await revoke(await revoked())).toEqual(RECEIVED);
    expect(await send({ data: await completed() })).toEqual(RECEIVED);
    expect(await revocations()).toHaveLength(1);
    await expectState('ISSUING');
  });

  it('is accepted long after the session ended or failed', async () => {
    await failVerification();
    on.pass(100_000);
    await on.service.follow();
    expect(await revoke(await revoked())).toEqual(RECEIVED);
    expect(await revocations()).toHaveLength(1);
  });

  it('must be signed by the verifier of the credential, which may be inactive', async () => {
    await send({ data: await completed() });
    const other = await generateKeyPairSigner();
    await on.chain.setVerifier(true, other.address);
    await on.setVerifier(false);
    const unknown = await generateKeyPairSigner();
    for (const wrong of [other, unknown, on.chain.keys.governance]) {
      expect(await revoke(await revoked(clock.seconds, wrong))).toMatchObject(INVALID);
    }
    expect(await revocations()).toEqual([]);
    expect(await revoke(await revoked())).toEqual(RECEIVED);
    await on.setVerifier(true);
  });

  it('without a credential must be signed by a verifier on chain', async () => {
    const unknown = await generateKeyPairSigner();
    expect(await revoke(await revoked(clock.seconds, unknown))).toMatchObject(INVALID);
    expect(await revocations()).toEqual([]);
  });

  it.each<[string, (data: Awaited<ReturnType<typeof revoked>>) => object]>([
    ['no signature', ({ signature: _, ...data }) => data],
    ['no revokedAt', ({ revokedAt: _, ...data }) => data],
    ['another revokedAt than was signed', (data) => ({ ...data, revokedAt: data.revokedAt - 1n })],
    ['a credential in it', (data) => ({ ...data, commitment: '1'.padStart(64, '0') })],
    ['half a signature', (data) => ({ ...data, signature: `${data.signature.slice(0, 44)}` })],
  ])('with %s is rejected', async (_what, change) => {
    expect(await revoke(change(await revoked()))).toMatchObject(INVALID);
    expect(await revocations()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  it('signed for another program, cluster or wallet is rejected', async () => {
    const valid = { ...statement(), revokedAt: clock.seconds };
    for (const change of [
      { program: wallet },
      { genesisHash: wallet },
      { wallet: on.chain.keys.governance.address },
    ]) {
      const data = await revokedData(sessionId, { ...valid, ...change }, on.chain.keys.verifier);
      expect(await revoke({ ...data, wallet })).toMatchObject(INVALID);
    }
    expect(await revocations()).toEqual([]);
  });

  it('is rejected further in the future than the program accepts', async () => {
    expect(await revoke(await revoked(clock.seconds + 301n))).toMatchObject(INVALID);
    expect(await revoke(await revoked(clock.seconds + 300n))).toEqual(RECEIVED);
  });

  it('counts once if it is repeated, and the latest counts', async () => {
    const first = await revoked(clock.seconds - 5n);
    const answers = await Promise.all([
      revoke(first, { id }),
      revoke(first, { id }),
      revoke(first),
      revoke(await revoked(clock.seconds - 9n)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await revocations()).toMatchObject([{ revoked_at: clock.seconds - 5n }]);
    expect(await revoke(await revoked(clock.seconds), { id })).toMatchObject({ status: 409 });
    expect(await revoke(await revoked(clock.seconds))).toEqual(RECEIVED);
    expect(await revocations()).toMatchObject([{ revoked_at: clock.seconds }]);
  });

  it('is rejected while the index is stale, and may be sent again', async () => {
    on.pass(31);
    const data = await revoked();
    expect(await revoke(data, { id })).toMatchObject(STALE);
    await on.service.follow();
    expect(await revoke(data, { id })).toEqual(RECEIVED);
  });
});

function bytesOf(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}
