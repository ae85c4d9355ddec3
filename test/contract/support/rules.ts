/**
 * The rules of sections 3, 4, 5 and 7 of SPEC.md for requests and responses, as requests over HTTP. The real service
 * and the service of `@service/testing` must both follow them.
 */
import {
  addressBytes,
  ERROR_CODES,
  type ErrorCode,
  errorBody,
  REQUEST_ID_HEADER,
  ROUTES,
  type RouteName,
} from '@service/contract';
import { memoText, parseChallenge, splitWireTransaction } from '@service/protocol';
import { getBase64Encoder, type KeyPairSigner, signBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';

/** A service that must follow the contract. */
export interface Held {
  readonly fetch: typeof fetch;
  readonly origin: string;
  readonly program: string;
  readonly genesisHash: string;
  /** Creates a wallet with SOL for fees. */
  wallet(): Promise<KeyPairSigner>;
  /** Waits until what was submitted is final and indexed. */
  settle(): Promise<void>;
}

interface Request {
  readonly body?: unknown;
  /** Added to the headers of a browser. `undefined` removes one. */
  readonly headers?: Record<string, string | undefined>;
  readonly id?: string;
}

/** Members of responses that the tests read. The schemas decide which of them a response has. */
interface Body {
  readonly challengeId: string;
  readonly message: string;
  readonly operationId: string;
  readonly transaction: string;
  readonly rule: string;
  readonly state: string;
  readonly createdAt: bigint;
  readonly expiresAt: bigint;
  readonly ruleSets: readonly { readonly address: string }[];
}

/** A wallet that sends requests, with a cookie. */
class Caller {
  readonly held: Held;
  readonly key: KeyPairSigner;
  cookie = '';

  constructor(held: Held, key: KeyPairSigner) {
    this.held = held;
    this.key = key;
  }

  get wallet() {
    return this.key.address;
  }

  async send(name: RouteName, { body, headers = {}, id = '' }: Request = {}) {
    const { method, path } = ROUTES[name];
    const { origin } = this.held;
    const isPost = method === 'POST';
    const all = {
      ...(isPost ? { origin, 'content-type': 'application/json' } : {}),
      ...(this.cookie ? { cookie: this.cookie } : {}),
      ...headers,
    };
    const response = await this.held.fetch(new URL(path.replace('{id}', id), origin).href, {
      method,
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ...(isPost ? { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) } : {}),
    });
    const [line] = response.headers.getSetCookie();
    if (line) this.cookie = line.split(';')[0]!;
    return { status: response.status, headers: response.headers, json: (await response.json()) as unknown };
  }

  /** Sends a request that must succeed with the documented body. */
  async get(name: RouteName, request: Request = {}): Promise<Body> {
    const { status, json, headers } = await this.send(name, request);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get(REQUEST_ID_HEADER)).toMatch(/./);
    return z.decode(ROUTES[name].response as never, json as never) as unknown as Body;
  }

  /** Sends a request that must be rejected. */
  async refused(code: ErrorCode, name: RouteName, request: Request = {}): Promise<void> {
    const { status, json, headers } = await this.send(name, request);
    const { error } = z.parse(errorBody, json);
    expect(error.code).toBe(code);
    expect(status).toBe(ERROR_CODES[code].status);
    expect(error.requestId).toBe(headers.get(REQUEST_ID_HEADER));
  }

  async sign(bytes: Uint8Array): Promise<string> {
    return Buffer.from(await signBytes(this.key.keyPair.privateKey, bytes)).toString('base64');
  }

  /** Requests a challenge and returns the body that verifies it, with the signature of a wallet, by default this one. */
  async signedChallenge(signer: Caller = this) {
    const { wallet } = this;
    const { challengeId, message } = await this.get('challenge', { body: { wallet } });
    return { challengeId, wallet, signature: await signer.sign(new TextEncoder().encode(message)) };
  }

  async signIn(): Promise<this> {
    await this.get('verify', { body: await this.signedChallenge() });
    return this;
  }

  /** Returns the prepared transaction with this wallet's signature. */
  async signed({ transaction }: Body): Promise<string> {
    const wire = Buffer.from(transaction, 'base64');
    wire.set(Buffer.from(await this.sign(new Uint8Array(wire.subarray(65))), 'base64'), 1);
    return wire.toString('base64');
  }

  /** Prepares a new rule set. */
  prepare(): Promise<Body> {
    return this.get('createRuleSet', { body: ruleSet(), ...key() });
  }

  /** Prepares and submits a new rule set. */
  async create(): Promise<Body> {
    const draft = await this.prepare();
    const { operationId } = draft;
    await this.get('submit', { body: { operationId, transaction: await this.signed(draft) } });
    return draft;
  }
}

const counted = (from: number) => () => from++;
const nextKey = counted(1);
const key = (text = `contract-key-${nextKey()}`) => ({ headers: { 'Idempotency-Key': text } });
const nextNonce = counted(101);
const ruleSet = () => ({
  name: 'Adults in France',
  nonce: `${nextNonce()}`,
  clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
  maxPassAgeSeconds: '86400',
});
const NOBODY = '11111111111111111111111111111111';
const NO_ID = '00000000-0000-4000-8000-000000000000';
const names = Object.keys(ROUTES) as RouteName[];
const PUBLIC: readonly RouteName[] = ['config', 'network', 'rules', 'live', 'ready', 'session'];
const SIGNED_IN = names.filter((name) => ROUTES[name].access === 'session');
const POSTS = names.filter((name) => ROUTES[name].method === 'POST' && name !== 'webhook');

/** Describes the contract. The tests call `held` when they run. */
export function describeContract(held: () => Held): void {
  const visitor = async () => new Caller(held(), await held().wallet());
  const signedIn = async () => (await visitor()).signIn();

  describe('every endpoint', () => {
    it.each(PUBLIC)('%s returns its documented body to anybody', async (name) => {
      await (await visitor()).get(name);
    });
    it.each(SIGNED_IN)('%s requires a session', async (name) => {
      await (await visitor()).refused('AUTHENTICATION_REQUIRED', name, { id: NO_ID, ...key() });
    });
    it.each(POSTS)('%s rejects another origin, and none', async (name) => {
      const caller = await visitor();
      for (const headers of [{ origin: 'https://evil.example' }, { origin: undefined }]) {
        await caller.refused('ORIGIN_MISMATCH', name, { headers });
      }
    });
    it('rejects a body that is not JSON, has another content type, or has an invalid or unknown field', async () => {
      const caller = await visitor();
      const body = { wallet: caller.wallet };
      for (const request of [
        { body: '{' },
        { body, headers: { 'content-type': 'text/plain' } },
        { body: { ...body, admin: true } },
        { body: { wallet: 'me' } },
      ]) {
        await caller.refused('INVALID_REQUEST', 'challenge', request);
      }
    });
    it('config names program and cluster', async () => {
      const { program, genesisHash } = held();
      expect(await (await visitor()).get('config')).toMatchObject({ program, genesisHash });
    });
  });

  describe('sign-in', () => {
    it('binds the message to site, wallet, program, cluster and five minutes', async () => {
      const caller = await visitor();
      const { wallet } = caller;
      const { message, challengeId, expiresAt } = await caller.get('challenge', { body: { wallet } });
      const { origin, program, genesisHash } = held();
      const fields = parseChallenge(message);
      expect(fields).toMatchObject({ origin, wallet, program, genesisHash, challengeId });
      expect(fields!.expiresAt - fields!.issuedAt).toBe(300n);
      expect(expiresAt).toBe(fields!.expiresAt);
    });
    it('sets an HttpOnly cookie for 12 hours, which logout ends', async () => {
      const caller = await visitor();
      const { wallet } = caller;
      const { headers } = await caller.send('verify', { body: await caller.signedChallenge() });
      expect(headers.getSetCookie()[0]).toMatch(/^(__Host-)?session=.+; Max-Age=43200; Path=\/; HttpOnly/);
      expect(await caller.get('session')).toMatchObject({ wallet });
      const { cookie } = caller;
      await caller.get('logout');
      expect(await caller.get('session')).toMatchObject({ wallet: null });
      caller.cookie = cookie;
      expect(await caller.get('session')).toMatchObject({ wallet: null });
    });
    it('accepts a challenge once, and only the wallet’s own signature', async () => {
      const [caller, other] = [await visitor(), await visitor()];
      for (const signer of [other, caller]) {
        const body = await caller.signedChallenge(signer);
        if (signer === caller) await caller.get('verify', { body });
        await caller.refused('AUTHENTICATION_REQUIRED', 'verify', { body });
      }
    });
  });

  describe('an operation', () => {
    it('needs an idempotency key of 8 to 100 characters', async () => {
      const caller = await signedIn();
      const keys = ['short', 'x'.repeat(101), 'with space'].map((text) => key(text));
      for (const headers of [{}, ...keys]) {
        await caller.refused('IDEMPOTENCY_KEY_REQUIRED', 'createRuleSet', { body: ruleSet(), ...headers });
      }
    });
    it('is a draft for 90 seconds: memo and action, unsigned, and the wallet pays', async () => {
      const caller = await signedIn();
      const draft = await caller.prepare();
      expect(draft).toMatchObject({ state: 'DRAFT', kind: 'CREATE_RULE_SET', wallet: caller.wallet });
      expect(draft.expiresAt - draft.createdAt).toBe(90n);
      const split = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(draft.transaction)))!;
      expect(split.signature.every((byte) => byte === 0)).toBe(true);
      const message = Buffer.from(split.message);
      expect(message.includes(memoText(draft.operationId))).toBe(true);
      // The version, three counts and the number of keys come before the key that pays.
      expect(message.indexOf(addressBytes(caller.wallet))).toBe(5);
      expect(await caller.get('operation', { id: draft.operationId })).toMatchObject({ state: 'DRAFT' });
    });
    it('is the same for the same key and body, and a conflict for another body', async () => {
      const caller = await signedIn();
      const [body, idempotency] = [ruleSet(), key()];
      const first = await caller.get('createRuleSet', { body, ...idempotency });
      expect(await caller.get('createRuleSet', { body, ...idempotency })).toEqual(first);
      await caller.refused('IDEMPOTENCY_CONFLICT', 'createRuleSet', { body: ruleSet(), ...idempotency });
    });
    it('is accepted only with the wallet’s signature over the prepared message', async () => {
      const [caller, other] = [await signedIn(), await signedIn()];
      const draft = await caller.prepare();
      const { operationId } = draft;
      const submit = (transaction: string) => ({ body: { operationId, transaction } });
      const signed = await caller.signed(draft);
      const changed = Buffer.from(signed, 'base64');
      changed[changed.length - 1]! ^= 1;
      for (const wire of [draft.transaction, await other.signed(draft), changed.toString('base64')]) {
        await caller.refused('TRANSACTION_MISMATCH', 'submit', submit(wire));
      }
      await other.refused('NOT_FOUND', 'submit', submit(signed));
      await other.refused('NOT_FOUND', 'operation', { id: operationId });
      const queued = await caller.get('submit', submit(signed));
      expect(queued).toMatchObject({ state: 'QUEUED', operationId });
      expect(queued).not.toHaveProperty('transaction');
    });
    it('blocks the next while it is pending, ends FINALIZED, and is in the reads', async () => {
      const caller = await signedIn();
      const { operationId, rule } = await caller.create();
      await caller.refused('SIGNED_OPERATION_PENDING', 'createRuleSet', { body: ruleSet(), ...key() });
      await held().settle();
      const states: unknown[] = [];
      for (let look = 0; look < 4 && states.at(-1) !== 'FINALIZED'; look += 1) {
        states.push((await caller.get('operation', { id: operationId })).state);
      }
      expect(states.at(-1)).toBe('FINALIZED');
      expect(await caller.get('operation', { id: operationId })).toMatchObject({ indexed: true });
      const { ruleSets } = await caller.get('passport');
      expect(ruleSets).toMatchObject([{ address: rule, creator: caller.wallet, livePasses: 0n }]);
      const all = await caller.get('rules');
      expect(all.ruleSets.map(({ address }) => address)).toContain(rule);
    });
    it('does not return a proof context before the wallet has a credential', async () => {
      const caller = await signedIn();
      const { rule } = await caller.create();
      await held().settle();
      await caller.refused('CREDENTIAL_REQUIRED', 'proofContext', { body: { rule } });
    });
    it('is rejected with a code for what does not exist', async () => {
      const caller = await signedIn();
      await caller.refused('NOT_FOUND', 'proofContext', { body: { rule: NOBODY } });
      await caller.refused('NOT_FOUND', 'operation', { id: NO_ID });
      const issue = { mint: NOBODY, destination: NOBODY, amount: '1' };
      await caller.refused('MINT_NOT_BOUND', 'issue', { body: issue, ...key() });
      const body = { mint: NOBODY, source: NOBODY, destination: caller.wallet, amount: '1' };
      await caller.refused('MINT_NOT_BOUND', 'transfer', { body, ...key() });
      await caller.refused('INVALID_REQUEST', 'transfer', { body: { ...body, amount: '0' }, ...key() });
    });
  });
}
