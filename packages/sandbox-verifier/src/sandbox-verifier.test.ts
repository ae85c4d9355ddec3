import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addressBytes,
  regionIndexOf,
  statusIndexOf,
  type WebhookRequest,
  type Witness,
  webhookRequest,
  witnessRecord,
} from '@service/contract';
import { type HostedSessionRequest, signWebhook, verifyWebhook } from '@service/contract/verifier';
import { credentialMessage, revocationMessage } from '@service/protocol';
import { commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createSandboxVerifier, type SandboxVerifier } from './sandbox-verifier.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const START = 1_760_000_000_000;
const SITE = 'http://localhost:3000';
const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';

let now: number;
let authority: KeyPairSigner;
let wallet: Address;
let calls: { url: string; body: string; headers: Headers }[];
/** Responses of the service, in order; 200 after the last. */
let responses: (number | 'unreachable')[];
let logged: unknown[][];
/** Is called for each report, before the response. */
let onReport: () => void;
let verifier: SandboxVerifier;

beforeEach(async () => {
  now = START;
  authority = await generateKeyPairSigner();
  wallet = (await generateKeyPairSigner()).address;
  calls = [];
  responses = [];
  logged = [];
  onReport = () => undefined;
  verifier = start();
});

/** Starts the verifier, or restarts it with the same file. */
function start(sessionsFile?: string, personKey = new Uint8Array(32).fill(7)): SandboxVerifier {
  const log = (...line: unknown[]) => void logged.push(line);
  return createSandboxVerifier({
    authority,
    webhookSecret: secret,
    personKey,
    clock: { now: () => now },
    log: { info: log, warn: log, error: log } as never,
    credentialLifetimeSeconds: 1_000,
    retryDelaysMs: [0, 0],
    fetch: async (url: unknown, init?: RequestInit) => {
      calls.push({ url: String(url), body: String(init?.body), headers: new Headers(init?.headers) });
      onReport();
      const status = responses.shift() ?? 200;
      if (status === 'unreachable') throw new TypeError('fetch failed');
      return new Response('{}', { status });
    },
    ...(sessionsFile ? { sessionsFile } : {}),
  });
}

const session = (changes: Partial<HostedSessionRequest> = {}): HostedSessionRequest => ({
  sessionId: randomUUID(),
  wallet,
  returnUrl: `${SITE}/verified?step=2`,
  siteOrigin: SITE,
  webhookUrl: `${SITE}/api/verifier/webhook`,
  program: authority.address,
  genesisHash: GENESIS,
  expiresAt: BigInt(START / 1000 + 3_600),
  ...changes,
});

function openSession(request: HostedSessionRequest, key = secret) {
  const body = JSON.stringify({ ...request, expiresAt: request.expiresAt.toString() });
  const headers = signWebhook({ secret: key, id: 'msg_open', now, body });
  return verifier.app.request('/sessions', { method: 'POST', body, headers });
}

async function hostedUrl(request = session()): Promise<string> {
  const response = await openSession(request);
  expect(response.status).toBe(200);
  return ((await response.json()) as { url: string }).url;
}

const person = { region: 'DE', status: 'accredited', birthDate: '1990-05-17' };
const submit = (url: string, fields: Record<string, string> = person) =>
  verifier.app.request(url, { method: 'POST', body: new URLSearchParams(fields) });

const refuse = (url: string) => verifier.app.request(`${url}/refuse`, { method: 'POST' });
const revoke = (url: string) => verifier.app.request(`${url}/revoke`, { method: 'POST' });
const visit = (url: string) => verifier.app.request(url);

/** Checks the number of reports. Returns the data of the last one, which must be authentic and of this type. */
function lastReport<T extends WebhookRequest['type']>(type: T, count = calls.length) {
  expect(calls).toHaveLength(count);
  const { body, headers } = calls.at(-1)!;
  expect(verifyWebhook({ secret, now, body, headers })).toMatchObject({ authentic: true });
  const event = z.decode(webhookRequest, JSON.parse(body));
  expect(event.type).toBe(type);
  return event.data as Extract<WebhookRequest, { type: T }>['data'];
}
/** The part of the signed messages that comes from the session. */
const onChain = ({ program }: HostedSessionRequest) => ({ program, genesisHash: GENESIS, wallet });
/** Returns whether the verifier authority signed a message. */
const isSigned = (message: Uint8Array, signature: string) =>
  nacl.sign.detached.verify(message, Buffer.from(signature, 'base64'), addressBytes(authority.address));

function witnessOf(response: Response): Witness {
  const location = new URL(response.headers.get('location') ?? '');
  const json = Buffer.from(location.hash.replace(/^#witness=/, ''), 'base64url').toString();
  return z.decode(witnessRecord, JSON.parse(json));
}

describe('opening a hosted session', () => {
  it('creates an unguessable URL each time', async () => {
    const [a, b] = [await hostedUrl(), await hostedUrl()];
    expect(a).toMatch(/^http:\/\/localhost\/verify\/[A-Za-z0-9_-]{43}$/);
    expect(a).not.toBe(b);
  });

  it('requires the webhook secret', async () => {
    const otherSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
    expect((await openSession(session(), otherSecret)).status).toBe(401);
    expect((await verifier.app.request('/sessions', { method: 'POST', body: '{}' })).status).toBe(401);
  });

  it.each([
    ['a return URL of another site', { returnUrl: 'https://evil.example/' }],
    ['a site that is not an origin', { siteOrigin: `${SITE}/path` }],
    ['a site that would change the policy header', { siteOrigin: "http://a; script-src 'unsafe-inline'" }],
    ['a webhook without an http URL', { webhookUrl: 'file:///etc/passwd' }],
  ])('rejects %s', async (_what, changes) => {
    expect((await openSession(session(changes))).status).toBe(400);
  });
});

describe('the hosted page', () => {
  it('shows wallet and site, labels the three fields, and runs no script', async () => {
    const response = await visit(await hostedUrl());
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain(wallet);
    expect(text).toContain(`<dd>${SITE}</dd>`);
    for (const name of ['region', 'status', 'birthDate']) {
      expect(text).toContain(`<label for="${name}">`);
      expect(text).toMatch(new RegExp(`<(select|input) id="${name}" name="${name}"`));
    }
    expect(text).toContain('Antigua &amp; Barbuda');
    expect(text).not.toMatch(/<script|onclick|javascript:/i);
    expect(text).toMatch(/color-scheme: light dark/);
  });

  it('forbids caching, framing, referrers and scripts, and allows its form to redirect to the site', async () => {
    const { headers } = await visit(await hostedUrl());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(policy).toContain(`form-action 'self' ${SITE};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
  });

  it('returns 404 with the same headers for a wrong or expired link', async () => {
    const url = await hostedUrl();
    now += 3_600_000;
    for (const at of [url, '/verify/AAAA']) {
      const response = await visit(at);
      expect(response.status).toBe(404);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('content-security-policy')).toContain("form-action 'none'");
    }
  });
});

describe('verifying', () => {
  it('reports a signed commitment and gives the witness only to the browser', async () => {
    const request = session();
    const response = await submit(await hostedUrl(request));

    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/verified\?step=2#witness=/);
    const witness = witnessOf(response);
    expect(witness).toMatchObject({ wallet, ...person });

    const data = lastReport('verification.completed', 1);
    expect(calls[0]!.url).toBe(request.webhookUrl);
    const times = { issuedAt: BigInt(START / 1000), expiresAt: BigInt(START / 1000 + 1_000) };
    expect(data).toMatchObject({ sessionId: request.sessionId, wallet, ...times });
    const codes = { region: regionIndexOf('DE')!, status: statusIndexOf('accredited')! };
    const birthDate = parseBirthDate(witness.birthDate);
    const [salt, secretPerson] = [BigInt(witness.salt), BigInt(witness.person)];
    const commitment = fieldToBytes(commitmentOf({ ...codes, birthDate, salt, person: secretPerson }));
    expect(data.commitment).toBe(Buffer.from(commitment).toString('hex'));
    const message = credentialMessage({ ...onChain(request), commitment, ...times });
    expect(isSigned(message, data.signature)).toBe(true);
  });

  it('puts no attribute and no salt into the webhook or the log', async () => {
    const { salt, person: secretPerson } = witnessOf(await submit(await hostedUrl()));
    const written = calls[0]!.body + JSON.stringify(logged);
    for (const secretPart of [salt, secretPerson, '1990-05-17', 'accredited', '"DE"'])
      expect(written).not.toContain(secretPart);
  });

  it('accepts a link once, even if two clicks arrive at the same time', async () => {
    const url = await hostedUrl();
    const statuses = (await Promise.all([submit(url), submit(url)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 404]);
    expect((await submit(url)).status).toBe(404);
    expect(calls).toHaveLength(1);
  });

  it('uses a new salt for each credential', async () => {
    const [a, b] = [await submit(await hostedUrl()), await submit(await hostedUrl())].map(witnessOf);
    expect(a!.salt).not.toBe(b!.salt);
  });

  it.each([0, 31, 33])('does not start with a person key of %d bytes', (length) => {
    expect(() => start(undefined, new Uint8Array(length))).toThrow('personKey must be 32 bytes');
  });

  it('gives all wallets of a person one person, who is recognized by the document', async () => {
    const personOf = async (form: Record<string, string>) => {
      const { address } = await generateKeyPairSigner();
      return BigInt(witnessOf(await submit(await hostedUrl(session({ wallet: address })), form)).person);
    };
    const passport = { ...person, document: 'P-1' };
    const first = await personOf(passport);
    expect(await personOf({ ...passport, region: 'FR', document: ' P-1 ' })).toBe(first);
    const without = await personOf(person);
    expect(await personOf(person)).toBe(without);
    const others = [
      { ...passport, document: 'P-2' },
      { ...person, birthDate: '1990-05-18' },
      { ...person, region: 'FR' },
    ];
    expect(new Set([first, without, ...(await Promise.all(others.map(personOf)))]).size).toBe(5);
    expect(first > 2n ** 200n && first < 2n ** 253n).toBe(true);

    verifier = start(undefined, new Uint8Array(32));
    expect(await personOf(passport)).not.toBe(first);
  });

  it.each([
    ['no region', { region: '' }, 'region'],
    ['an unknown region', { region: 'ZZ' }, 'region'],
    ['an unknown status', { status: 'emperor' }, 'status'],
    ['a day that does not exist', { birthDate: '1990-02-30' }, 'birthDate'],
    ['a birth in the future', { birthDate: '2025-10-10' }, 'birthDate'],
    ['a birth before 1900', { birthDate: '1899-12-31' }, 'birthDate'],
    ['a document number of 101 characters', { document: 'P'.repeat(101) }, 'document'],
  ])('shows the form again for %s, and keeps the link', async (_what, changes, field) => {
    const url = await hostedUrl();
    const response = await submit(url, { ...person, ...changes });
    const text = await response.text();
    expect(response.status).toBe(422);
    expect(text).toContain(`id="${field}-problem"`);
    expect(text.match(/class="problem"/g)).toHaveLength(1);
    expect(calls).toHaveLength(0);
    expect((await submit(url)).status).toBe(303);
  });

  it('escapes the values in the form', async () => {
    const birthDate = '"><script>alert(1)</script>';
    const text = await (await submit(await hostedUrl(), { ...person, birthDate })).text();
    expect(text).not.toContain('<script>');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('retries the webhook with the same id while the service does not respond', async () => {
    responses = [503, 'unreachable', 200];
    expect((await submit(await hostedUrl())).status).toBe(303);
    expect(new Set(calls.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1);
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['rejects it', [404], 1],
    ['cannot be reached', ['unreachable', 'unreachable', 'unreachable'], 3],
  ] as const)('does not give the witness when the service %s', async (_what, statuses, tries) => {
    responses = [...statuses];
    const response = await submit(await hostedUrl());
    expect(response.status).toBe(502);
    expect(response.headers.get('location')).toBeNull();
    expect(calls).toHaveLength(tries);
  });
});

describe('refusing', () => {
  it('reports it once, sends the person back without a witness, and ends the link', async () => {
    const request = session();
    const url = await hostedUrl(request);
    const text = await (await visit(url)).text();
    expect(text).toContain(`<form method="post" action="${new URL(url).pathname}/refuse">`);

    const clicks = await Promise.all([refuse(url), refuse(url)]);
    expect(clicks.map(({ status }) => status).sort()).toEqual([303, 404]);
    const response = clicks.find(({ status }) => status === 303)!;
    expect(response.headers.get('location')).toBe(request.returnUrl);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const { sessionId } = request;
    expect(lastReport('verification.failed', 1)).toEqual({ sessionId, wallet });

    for (const act of [refuse, visit, submit, revoke]) expect((await act(url)).status).toBe(404);
    expect(calls).toHaveLength(1);
  });

  it('needs a link that is open', async () => {
    const [verified, expired] = [await hostedUrl(), await hostedUrl()];
    await submit(verified);
    now += 3_600_000;
    for (const url of [verified, expired, '/verify/AAAA']) expect((await refuse(url)).status).toBe(404);
    expect(calls).toHaveLength(1);
    expect((await revoke(verified)).status).toBe(200);
  });

  it('shows a message if the service does not accept the report', async () => {
    const url = await hostedUrl();
    responses = [404];
    const response = await refuse(url);
    expect([response.status, response.headers.get('location')]).toEqual([502, null]);
    expect(await response.text()).toContain('start the verification again');
  });
});

describe('going back', () => {
  it('is a link to the return URL, reports nothing, and keeps the link', async () => {
    const returnUrl = `${SITE}/verified?a=1&b="2"`;
    const url = await hostedUrl(session({ returnUrl: new URL(returnUrl).href }));
    const text = await (await visit(url)).text();
    expect(text).toContain(`href="${SITE}/verified?a=1&amp;b=%222%22"`);
    expect(calls).toEqual([]);
    expect((await submit(url)).status).toBe(303);
  });

  it('has no script in its link', async () => {
    expect((await openSession(session({ returnUrl: 'javascript:alert(1)' }))).status).toBe(400);
  });
});

describe('revoking', () => {
  it('works once, with the link of a verified session', async () => {
    const request = session();
    const url = await hostedUrl(request);
    expect((await revoke(url)).status).toBe(404);
    await submit(url);
    now += 5_000_000;

    const page = await visit(url);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain(wallet);
    expect(text).toContain(`<form method="post" action="${new URL(url).pathname}/revoke">`);
    expect(text).not.toContain('name="region"');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");

    expect((await revoke(url)).status).toBe(200);
    const data = lastReport('credential.revoked', 2);
    const revokedAt = BigInt(now / 1000);
    expect(data).toMatchObject({ sessionId: request.sessionId, wallet, revokedAt });
    const message = revocationMessage({ ...onChain(request), revokedAt });
    expect(isSigned(message, data.signature)).toBe(true);

    for (const act of [revoke, visit, submit]) expect((await act(url)).status).toBe(404);
    expect(calls).toHaveLength(2);
  });

  it('needs the right link, and a credential that the service has accepted', async () => {
    const [mine, other] = [await hostedUrl(), await hostedUrl()];
    await submit(mine);
    for (const url of [other, '/verify/AAAA']) expect((await revoke(url)).status).toBe(404);
    responses = [404];
    await submit(other);
    expect((await revoke(other)).status).toBe(404);
    expect(calls).toHaveLength(2);
  });

  it('can be retried while the service does not respond', async () => {
    const url = await hostedUrl();
    await submit(url);
    responses = ['unreachable', 503, 503];
    expect((await revoke(url)).status).toBe(502);
    expect((await visit(url)).status).toBe(200);
    expect((await revoke(url)).status).toBe(200);
  });

  it('and verifying again within one second get times in this order', async () => {
    const start = BigInt(START / 1000);
    const [first, second, third] = [await hostedUrl(), await hostedUrl(), await hostedUrl()];
    for (const [act, url, seconds] of [
      [submit, first, 0n],
      [revoke, first, 0n],
      [submit, second, 1n],
      [submit, third, 2n],
      [revoke, second, 2n],
    ] as const) {
      await act(url);
      if (act === submit) expect(lastReport('verification.completed').issuedAt - start).toBe(seconds);
      else expect(lastReport('credential.revoked').revokedAt - start).toBe(seconds);
    }
  });
});

describe('after a restart with a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('open links verify, verified links revoke, and used links do nothing', async () => {
    const file = join(folder, 'sessions.json');
    verifier = start(file);
    const [open, verified, turnedAway] = [await hostedUrl(), await hostedUrl(), await hostedUrl()];
    const [revoked, refused] = [await hostedUrl(), await hostedUrl()];
    verifier = start(file);
    await submit(verified);
    await submit(revoked);
    await revoke(revoked);
    responses = [404];
    await submit(refused);
    await refuse(turnedAway);
    // Random ids, tokens and addresses can contain each of these texts.
    const stored = readFileSync(file, 'utf8').replaceAll(/"[\w-]{32,44}"/g, '');
    expect(stored).not.toMatch(/accredited|1990|salt/);

    verifier = start(file);
    for (const url of [revoked, refused, turnedAway]) expect((await visit(url)).status).toBe(404);
    expect((await submit(open)).status).toBe(303);
    expect((await submit(verified)).status).toBe(404);
    expect((await revoke(verified)).status).toBe(200);

    verifier = start(file);
    expect((await revoke(open)).status).toBe(200);
    expect((await revoke(verified)).status).toBe(404);
  });

  it('a link whose report was being sent can revoke, because the service may have accepted it', async () => {
    const file = join(folder, 'under-way.json');
    verifier = start(file);
    const url = await hostedUrl();
    // Copy the file while the report is being sent.
    onReport = () => copyFileSync(file, `${file}.killed`);
    await submit(url);
    onReport = () => undefined;
    verifier = start(`${file}.killed`);
    expect((await submit(url)).status).toBe(404);
    expect((await revoke(url)).status).toBe(200);
  });
});
