/** A verifier on its own database, with a service that records messages, and browsers that keep cookies. */
import { createHash, randomUUID } from 'node:crypto';
import { type WebhookRequest, type Witness, webhookRequest, witnessRecord } from '@service/contract';
import { HOSTED_SESSIONS_PATH, signWebhook, verifyWebhook } from '@service/contract/verifier';
import { credentialMessage, revocationMessage } from '@service/protocol';
import { type Address, getAddressDecoder, getAddressEncoder, getBase58Decoder } from '@solana/kit';
import pino from 'pino';
import nacl from 'tweetnacl';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { type CreateVerifierOptions, createVerifier } from '../../src/create-verifier.ts';
import { fileAttestationKey, filePersonKey } from '../../src/keys/file-keys.ts';
import type { AttestationKey, PersonKey } from '../../src/keys/keys.ts';
import type { Decision, Provider } from '../../src/provider.ts';
import { recordsInMemory } from '../../src/providers/decision-records.ts';
import { SANDBOX_POLICY, sandboxProvider } from '../../src/providers/sandbox.ts';
import { openTestDatabase } from './test-database.ts';

export const ORIGIN = 'http://127.0.0.1:3001';
export const SITE = 'https://site.example';
export const WEBHOOK_URL = 'https://api.site.example/api/verifier/webhook';
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What a person enters at the sandbox provider. */
export const PERSON = { region: 'JP', status: 'professional', birthDate: '1984-02-29', document: 'X1' };

/** Returns an address that depends only on the text. */
export const addressOf = (text: string): Address =>
  getAddressDecoder().decode(createHash('sha256').update(text).digest());

export const PROGRAM = addressOf('program');
export const GENESIS_HASH = getBase58Decoder().decode(createHash('sha256').update('genesis').digest());

/** A clock that only tests move, in Unix milliseconds. */
export class StillClock {
  #now = Date.UTC(2026, 0, 15, 12);
  now(): number {
    return this.#now;
  }
  pass(seconds: number): void {
    this.#now += seconds * 1_000;
  }
}

/** The key of the verifier authority in tests, as a key pair of the Solana CLI. */
export function testKeypair(): Uint8Array {
  return nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(9)).secretKey;
}

/** The service: what it was sent, and how it responds next. */
export class RecordingService {
  readonly messages: (WebhookRequest & { readonly id: string })[] = [];
  /** The responses to the next messages; then 200. `null` does not respond. */
  next: (number | null)[] = [];
  /** Runs before each response. */
  onMessage: (event: WebhookRequest) => unknown = () => undefined;
  readonly #clock: StillClock;

  constructor(clock: StillClock) {
    this.#clock = clock;
  }

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    const body = `${init?.body}`;
    const headers = new Headers(init?.headers);
    const verdict = verifyWebhook({ secret: SECRET, now: this.#clock.now(), body, headers });
    if (`${url}` !== WEBHOOK_URL || !verdict.authentic) return new Response(null, { status: 401 });
    const event = z.decode(webhookRequest, JSON.parse(body));
    await this.onMessage(event);
    const status = this.next.length > 0 ? this.next.shift()! : 200;
    if (status === null) throw new TypeError('fetch failed');
    if (status === 200) this.messages.push({ ...event, id: verdict.id });
    return new Response('{}', { status });
  };
}

interface App {
  request(url: string, init?: RequestInit): Response | Promise<Response>;
}

/** A browser: it keeps cookies, and follows no redirects. */
export class Browser {
  readonly #app: App;
  readonly #cookies = new Map<string, string>();
  language = 'en';

  constructor(app: App) {
    this.#app = app;
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      origin: ORIGIN,
      'accept-language': this.language,
      ...(cookie ? { cookie } : {}),
      ...init.headers,
    };
    const response = await this.#app.request(new URL(url, ORIGIN).href, { ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      this.#cookies.set(name!, value!);
    }
    return response;
  }

  get = (url: string) => this.#send(url, {});
  post = (url: string, form: Record<string, string> = {}) =>
    this.#send(url, {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
}

/** Options that a test can replace. */
export type TestOptions = Partial<
  Pick<CreateVerifierOptions, 'provider' | 'attestationKey' | 'personKey' | 'database' | 'fetch'>
> & { readonly clock?: StillClock; readonly settings?: Partial<CreateVerifierOptions['settings']> };

/** A verifier for tests. Its background work runs only by `background.tick`. */
export type TestVerifier = Awaited<ReturnType<typeof startTestVerifier>>;

/** Starts a verifier with the sandbox provider in memory. */
export async function startTestVerifier(options: TestOptions = {}) {
  const clock = options.clock ?? new StillClock();
  const service = new RecordingService(clock);
  const records = recordsInMemory();
  const database = options.database ?? (await openTestDatabase());
  const log: string[] = [];
  const provider: Provider = options.provider ?? sandboxProvider({ origin: ORIGIN, records, clock });
  const attestationKey: AttestationKey = options.attestationKey ?? (await fileAttestationKey(testKeypair()));
  const personKey: PersonKey = options.personKey ?? filePersonKey(new Uint8Array(32).fill(3));
  const created = await createVerifier({
    settings: {
      origin: ORIGIN,
      program: PROGRAM,
      genesisHash: GENESIS_HASH,
      sites: [{ origins: [SITE], webhookUrl: WEBHOOK_URL, webhookSecrets: [SECRET] }],
      policy: SANDBOX_POLICY,
      allowSandbox: true,
      ...options.settings,
    },
    database,
    provider,
    attestationKey,
    personKey,
    log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    clock,
    fetch: options.fetch ?? service.fetch,
    pollIntervalMs: 'manual',
    reportRetryMs: [0, 0],
  });
  return {
    ...created,
    clock,
    service,
    records,
    database,
    log,
    authority: attestationKey.address,
    browser: () => new Browser(created.app),
    /** Asks for a session as the service does. */
    ask(fields: Record<string, unknown> = {}, secret = SECRET) {
      const body = JSON.stringify({
        sessionId: randomUUID(),
        wallet: addressOf('wallet'),
        returnUrl: `${SITE}/back`,
        siteOrigin: SITE,
        webhookUrl: WEBHOOK_URL,
        program: PROGRAM,
        genesisHash: GENESIS_HASH,
        expiresAt: `${Math.floor(clock.now() / 1_000) + 3_600}`,
        ...fields,
      });
      const headers = signWebhook({ secret, id: `msg_${randomUUID()}`, now: clock.now(), body });
      return created.app.request(`${ORIGIN}${HOSTED_SESSIONS_PATH}`, { method: 'POST', body, headers });
    },
    /** Opens a session, and returns the path of its page. */
    async open(fields: Record<string, unknown> = {}): Promise<string> {
      const response = await this.ask(fields);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return new URL(((await response.json()) as { url: string }).url).pathname;
    },
    /** Lets a person agree, and enter the form of the sandbox provider. Returns where the provider sends the person. */
    async enter(browser: Browser, path: string, form: Record<string, string> = PERSON): Promise<string> {
      const agreed = await browser.post(path);
      const page = new URL(agreed.headers.get('location')!).pathname;
      return (await browser.post(page, form)).headers.get('location')!;
    },
    /** Verifies a wallet of a person. Returns the response that has the witness in its location. */
    async verify(browser: Browser, fields: Record<string, unknown> = {}, form = PERSON) {
      return browser.get(await this.enter(browser, await this.open(fields), form));
    },
    /** Replaces the decision of the latest check, as the provider does. */
    async decide(decision: Partial<Decision>): Promise<string> {
      const id = (await records.ids()).at(-1)!;
      const record = (await records.get(id))!;
      await records.set(id, {
        ...record,
        decision: { ...record.decision, updatedAt: clock.now(), ...decision },
      });
      return id;
    },
    async end() {
      await created.close();
      if (!options.database) await database.close();
    },
  };
}

/** Returns the witness in the fragment of the page to which a person goes back. */
export function witnessOf(response: Response): Witness {
  const [page, fragment = ''] = (response.headers.get('location') ?? '').split('#witness=');
  expect(page).toBe(`${SITE}/back`);
  return z.decode(witnessRecord, JSON.parse(Buffer.from(fragment, 'base64url').toString('utf8')));
}

/** Expects that the authority signed the credential or the revocation of a message. */
export function expectSigned({ authority }: Pick<TestVerifier, 'authority'>, event?: WebhookRequest): void {
  const signed = { program: PROGRAM, genesisHash: GENESIS_HASH };
  if (event?.type !== 'verification.completed' && event?.type !== 'credential.revoked')
    throw new Error('The message has no signature.');
  const message =
    event.type === 'verification.completed'
      ? credentialMessage({ ...signed, ...event.data, commitment: Buffer.from(event.data.commitment, 'hex') })
      : revocationMessage({ ...signed, ...event.data });
  const key = new Uint8Array(getAddressEncoder().encode(authority));
  expect(nacl.sign.detached.verify(message, Buffer.from(event.data.signature, 'base64'), key)).toBe(true);
}
