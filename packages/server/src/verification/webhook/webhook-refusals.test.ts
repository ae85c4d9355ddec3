/** Every rejection by the webhook as the verifier sees it: over HTTP, with status, code and message. */
import { randomUUID } from 'node:crypto';
import { MAX_BODY_BYTES } from '@service/contract';
import { signWebhook } from '@service/contract/verifier';
import { credentialMessage, MAX_CREDENTIAL_DELAY_SECONDS } from '@service/protocol';
import { WEBHOOK_SECRET } from '@service/server/test-service';
import { generateKeyPairSigner, signBytes } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceOnChain } from '../../../test/support/service-on-chain.ts';
import {
  completedData,
  type DeliverOptions,
  deliver,
  messageText,
  RECEIVED,
  revokedData,
} from '../../../test/support/verification/deliveries.ts';
import { addSession } from '../../../test/support/verification/sessions.ts';

const PREVIOUS_SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

const on = serviceOnChain({ withVerifier: true });
const { clock } = on;

beforeAll(() => on.service.follow());

/** Opens a session; returns it with the data of a verification that completes it. */
async function open() {
  const wallet = (await generateKeyPairSigner()).address;
  const id = await addSession(on.database.db, wallet, clock.now());
  const times = { issuedAt: clock.seconds, expiresAt: clock.seconds + 1_000n };
  const statement = on.chain.statement(wallet, times);
  return { id, wallet, statement, data: await completedData(id, statement, on.chain.keys.verifier) };
}

const text = (data: object) => messageText({ data, now: clock.now() });
/** Sends a message over HTTP. */
const post = (message: Partial<DeliverOptions>) => deliver(on.site, { now: clock.now(), ...message });

const refusal = (status: number, code: string, message: string) => ({
  status,
  code,
  body: { error: { code, message } },
});
const refusalOf = (part: string) => ({
  status: 400,
  body: { error: { code: 'INVALID_REQUEST', message: expect.stringContaining(part) } },
});
const invalid = (message: string) => refusal(400, 'INVALID_REQUEST', message);
const states = async (id: string) => [(await on.session(id)).state];

describe('a message that is not authentic', () => {
  const unauthentic = (message: string) => refusal(401, 'AUTHENTICATION_REQUIRED', message);

  const header = (name: string, value?: string) => ({ headers: { [`webhook-${name}`]: value } });
  const isMalformed = (name: string) => `webhook-${name} is missing or malformed.`;
  const mismatch = 'webhook-signature does not match.';
  const tooFar = 'webhook-timestamp is more than 300 seconds from now.';

  it.each<[string, Partial<DeliverOptions>, string]>([
    ['a signature by another secret', { secret: OTHER_SECRET }, mismatch],
    ['a signature of another version', header('signature', 'v2,AAAA'), mismatch],
    ['no signature', header('signature'), isMalformed('signature')],
    ['too many signatures', header('signature', 'v1,AAAA '.repeat(200)), isMalformed('signature')],
    ['no id', header('id'), isMalformed('id')],
    ['another id', header('id', 'msg_2'), mismatch],
    ['no timestamp', header('timestamp'), isMalformed('timestamp')],
    ['another timestamp', header('timestamp', '1760000001'), mismatch],
    ['an old timestamp', { now: 1_760_000_000_000 - 301_000 }, tooFar],
    ['a future timestamp', { now: 1_760_000_000_000 + 301_000 }, tooFar],
  ])('by %s', async (_what, change, message) => {
    const { id, data } = await open();
    expect(await post({ data, ...change })).toEqual(unauthentic(message));
    expect(await states(id)).toEqual(['STARTED']);
  });

  it('by a changed body, or none', async () => {
    const { id, data } = await open();
    const body = text(data);
    const signed = signWebhook({ secret: WEBHOOK_SECRET, id: 'msg_1', now: clock.now(), body });
    expect(await post({ body: `${body} `, headers: signed })).toEqual(unauthentic(mismatch));
    expect(await post({ body: '', headers: signed })).toEqual(unauthentic(mismatch));
    expect(await states(id)).toEqual(['STARTED']);
  });

  it('300 seconds either way are accepted', async () => {
    for (const now of [clock.now() - 300_000, clock.now() + 300_000]) {
      const { data } = await open();
      expect(await post({ data, now })).toEqual(RECEIVED);
    }
  });
});

describe('a body', () => {
  it('that is too large is rejected before its signature is checked', async () => {
    const fits = 'x'.repeat(MAX_BODY_BYTES - 2);
    expect(await post({ body: `"${fits}x"`, secret: OTHER_SECRET })).toEqual(
      refusal(413, 'PAYLOAD_TOO_LARGE', 'The body is too large. Send at most 32768 bytes.'),
    );
    expect(await post({ body: `"${fits}"` })).toEqual(invalid('body must be an object.'));
  });

  it('must be JSON in UTF-8 with the content type of JSON', async () => {
    const { id, data } = await open();
    const unreadable = invalid('The body is not JSON in UTF-8. Send valid JSON.');
    expect(await post({ body: '{' })).toEqual(unreadable);
    expect(await post({ body: Buffer.from([0x22, 0xff, 0x22]) })).toEqual(unreadable);
    const undeclared = invalid('Content-Type must be application/json.');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const headers = { 'content-type': type };
      expect(await post({ body: Buffer.from(text(data)), headers })).toEqual(undeclared);
    }
    expect(await states(id)).toEqual(['STARTED']);
  });

  const wrongType =
    'body.type must be one of "verification.completed", "verification.failed", "verification.pending", "credential.revoked".';
  const tooMany = (...fields: string[]) =>
    `body.data has unknown fields: ${fields.map((field) => `"${field}"`).join(', ')}.`;
  const short = 'body.data.signature must be exactly 88 characters long.';
  const ofCredential = ['commitment', 'issuedAt', 'expiresAt'];
  const notRevoked = `body.data.revokedAt must be a string; ${tooMany(...ofCredential)}`;

  it.each<[string, object, object, string]>([
    ['another type', { type: 'credential.issued' }, {}, wrongType],
    ['no timestamp', { timestamp: undefined }, {}, 'body.timestamp must be a string.'],
    ['another field', { more: 1 }, {}, 'body has unknown fields: "more".'],
    ['a number as a time', {}, { issuedAt: 1 }, 'body.data.issuedAt must be a string.'],
    ['a short signature', {}, { signature: 'AAAA' }, short],
    ['a revocation’s data', { type: 'credential.revoked' }, {}, notRevoked],
    ['a failure’s type', { type: 'verification.failed' }, {}, tooMany(...ofCredential, 'signature')],
  ])('with %s is rejected with the field', async (_what, event, fields, message) => {
    const { id, data } = await open();
    const valid = JSON.parse(text(data));
    const body = JSON.stringify({ ...valid, ...event, data: { ...valid.data, ...fields } });
    expect(await post({ body })).toEqual(invalid(message));
    expect(await states(id)).toEqual(['STARTED']);
  });

  it.each([
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00+02:00',
    '2026-01-01T00:00:00.123456789-0530',
    '2026-01-01T00:00:00+14',
  ])('may have a time with any offset: %s', async (timestamp) => {
    const { id, data } = await open();
    const body = JSON.stringify({ ...JSON.parse(text(data)), timestamp });
    expect(await post({ body })).toEqual(RECEIVED);
    expect(await states(id)).toEqual(['ISSUING']);
  });

  it.each(['2026-01-01T00:00:00', '2026-01-01T00:00:00+24:00', '2026-02-29T00:00:00Z', 'now', 1_767_225_600])(
    'with the time %s is rejected with the field',
    async (timestamp) => {
      const { id, data } = await open();
      const body = JSON.stringify({ ...JSON.parse(text(data)), timestamp });
      expect(await post({ body })).toMatchObject(refusalOf('body.timestamp must be'));
      expect(await states(id)).toEqual(['STARTED']);
    },
  );

  it.each<[string, object, string]>([
    ['nothing', {}, wrongType],
    [
      'no data',
      { ...JSON.parse(messageText({ data: {}, now: 0 })), data: undefined },
      'body.data must be an object.',
    ],
  ])('with %s is rejected with the field', async (_what, event, message) => {
    const { id } = await open();
    expect(await post({ body: JSON.stringify(event) })).toEqual(invalid(message));
    expect(await states(id)).toEqual(['STARTED']);
  });
});

it('a request from another site is rejected first', async () => {
  const { data } = await open();
  const body = text(data);
  expect(await post({ body, secret: OTHER_SECRET, headers: { origin: 'https://evil.example' } })).toEqual(
    refusal(403, 'ORIGIN_MISMATCH', expect.any(String)),
  );
  expect(await post({ body, headers: { origin: on.site } })).toEqual(RECEIVED);
});

describe('a session', () => {
  const none = refusal(404, 'NOT_FOUND', 'The wallet has no such session. Check sessionId.');

  it('that is unknown or of another wallet', async () => {
    const [mine, theirs] = [await open(), await open()];
    for (const data of [
      { ...mine.data, sessionId: randomUUID() },
      { ...mine.data, sessionId: theirs.id },
      { ...mine.data, wallet: theirs.wallet },
    ]) {
      expect(await post({ data })).toEqual(none);
    }
    const revocation = { ...mine.statement, revokedAt: clock.seconds };
    const revoked = await revokedData(theirs.id, revocation, on.chain.keys.verifier);
    expect(await post({ type: 'credential.revoked', data: revoked })).toEqual(none);
    const failed = { sessionId: theirs.id, wallet: mine.wallet };
    expect(await post({ type: 'verification.failed', data: failed })).toEqual(none);
    expect([...(await states(mine.id)), ...(await states(theirs.id))]).toEqual(['STARTED', 'STARTED']);
  });

  it('that has ended or has a credential accepts no other', async () => {
    const ended = invalid(
      'The verification session has ended, because it accepts one credential. Start a new one.',
    );
    const failed = await open();
    const { id: sessionId, wallet } = failed;
    expect(await post({ type: 'verification.failed', data: { sessionId, wallet } })).toEqual(RECEIVED);
    expect(await post({ data: failed.data })).toEqual(ended);
    const done = await open();
    expect(await post({ data: done.data })).toEqual(RECEIVED);
    const later = { ...done.statement, expiresAt: done.statement.expiresAt, issuedAt: clock.seconds - 1n };
    const other = await completedData(done.id, later, on.chain.keys.verifier);
    expect(await post({ data: other })).toEqual(ended);
    expect(await post({ data: done.data })).toEqual(RECEIVED);
  });
});

describe('a signature of the verifier', () => {
  it('by a key of no active verifier is rejected', async () => {
    const { id, statement } = await open();
    const refused = invalid(
      'data.signature is not the signature of an active verifier over this credential.',
    );
    const inactive = await generateKeyPairSigner();
    await on.chain.setVerifier(true, inactive.address);
    await on.chain.setVerifier(false, inactive.address);
    await on.service.follow();
    for (const key of [await generateKeyPairSigner(), inactive, on.chain.keys.governance]) {
      const data = await completedData(id, statement, key);
      expect(await post({ data })).toEqual(refused);
    }
    const { address, keyPair } = on.chain.keys.verifier;
    expect(address).not.toBe(inactive.address);
    const over = await signBytes(keyPair.privateKey, credentialMessage({ ...statement, expiresAt: 1n }));
    const data = await completedData(id, statement, on.chain.keys.verifier);
    const forged = { ...data, signature: Buffer.from(over).toString('base64') };
    expect(await post({ data: forged })).toEqual(refused);
    expect(await states(id)).toEqual(['STARTED']);
  });

  it('over a credential that is too old for the program is rejected', async () => {
    const { id, statement } = await open();
    const sign = (issuedAt: bigint) => completedData(id, { ...statement, issuedAt }, on.chain.keys.verifier);
    const oldest = clock.seconds - MAX_CREDENTIAL_DELAY_SECONDS;
    expect(await post({ data: await sign(oldest - 1n) })).toEqual(
      invalid('data.issuedAt is more than 345600 seconds ago. Sign the credential again.'),
    );
    expect(await post({ data: await sign(oldest) })).toEqual(RECEIVED);
  });

  it('over a revocation by another key than the credential’s is rejected', async () => {
    const { id, data, statement } = await open();
    expect(await post({ data })).toEqual(RECEIVED);
    const revocation = { ...statement, revokedAt: clock.seconds };
    const revoked = await revokedData(id, revocation, await generateKeyPairSigner());
    expect(await post({ type: 'credential.revoked', data: revoked })).toEqual(
      invalid('data.signature is not the signature of the credential’s verifier over this revocation.'),
    );
    const early = { ...revocation, revokedAt: clock.seconds + 301n };
    const ahead = await revokedData(id, early, on.chain.keys.verifier);
    expect(await post({ type: 'credential.revoked', data: ahead })).toEqual(
      invalid('data.revokedAt is in the future. Check your clock.'),
    );
  });
});

describe('an id', () => {
  it('that repeats the same message gets the same response, also in another notation', async () => {
    const { id, data } = await open();
    expect(await post({ id: 'msg_again', data })).toEqual(RECEIVED);
    clock.pass(1);
    const { sessionId, wallet, ...rest } = data;
    expect(await post({ id: 'msg_again', data: { ...rest, wallet, sessionId } })).toEqual(RECEIVED);
    expect(await states(id)).toEqual(['ISSUING']);
    clock.milliseconds -= 1_000;
  });

  it('of another message is rejected', async () => {
    const [one, other] = [await open(), await open()];
    expect(await post({ id: 'msg_taken', data: one.data })).toEqual(RECEIVED);
    expect(await post({ id: 'msg_taken', data: other.data })).toEqual(
      refusal(
        409,
        'IDEMPOTENCY_CONFLICT',
        'Another message had this webhook-id. Give each message its own id.',
      ),
    );
    expect(await states(other.id)).toEqual(['STARTED']);
  });

  it('of a rejected message may be used again', async () => {
    const { id, data } = await open();
    const wrong = { ...data, expiresAt: data.expiresAt + 1n };
    expect(await post({ id: 'msg_corrected', data: wrong })).toMatchObject({ status: 400 });
    expect(await post({ id: 'msg_corrected', data })).toEqual(RECEIVED);
    expect(await states(id)).toEqual(['ISSUING']);
  });
});

describe('during rotation of the secret', () => {
  it('a message may be signed with both secrets, and the service needs one', async () => {
    const { data } = await open();
    const body = text(data);
    const both = signWebhook({
      secret: [OTHER_SECRET, WEBHOOK_SECRET],
      id: 'msg_both',
      now: clock.now(),
      body,
    });
    expect(both['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(await post({ body, headers: both })).toEqual(RECEIVED);
  });

  it('the service accepts either secret', async () => {
    const other = await on.another();
    Object.assign(other.service.settings.verifier, { previousWebhookSecret: PREVIOUS_SECRET });
    const sendWith = async (secret: string) =>
      (await deliver(other.app, { now: clock.now(), data: (await open()).data, secret })).status;
    expect(await sendWith(WEBHOOK_SECRET)).toBe(200);
    expect(await sendWith(PREVIOUS_SECRET)).toBe(200);
    expect(await sendWith(OTHER_SECRET)).toBe(401);
    await other.close();
  });
});
