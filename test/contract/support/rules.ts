/**
 * What SPEC.md sections 3, 4, 5 and 7 say of requests and answers, as requests over HTTP with what must hold of their
 * answers. The real service and the one of `@service/testing` are both held to it.
 */
import {
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

/** A service that is held to the contract. */
export interface Held {
  readonly fetch: typeof fetch;
  readonly origin: string;
  readonly program: string;
  readonly genesisHash: string;
  /** A wallet with SOL for fees. */
  wallet(): Promise<KeyPairSigner>;
  /** Lets what was submitted come to its end. */
  settle(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, never>;
}

interface Asked {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly id?: string;
}

/** Members of answers, as far as the contract's tests look into them; which ones are there, the schemas say. */
interface Told {
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

/** Somebody at the door, with a cookie. */
class Caller {
  readonly held: Held;
  readonly key: KeyPairSigner;
  cookie = '';

  constructor(held: Held, key: KeyPairSigner) {
    this.held = held;
    this.key = key;
  }

  async ask(name: RouteName, { body, headers = {}, id = '' }: Asked = {}): Promise<Answer> {
    const { method, path } = ROUTES[name];
    const isPost = method === 'POST';
    const response = await this.held.fetch(new URL(path.replace('{id}', id), this.held.origin).href, {
      method,
      headers: {
        ...(isPost ? { origin: this.held.origin, 'content-type': 'application/json' } : {}),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...headers,
      },
      ...(isPost ? { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) } : {}),
    });
    const [line] = response.headers.getSetCookie();
    if (line) this.cookie = line.split(';')[0]!;
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  /** Asks for something that must succeed with the documented body. */
  async get(name: RouteName, asked: Asked = {}): Promise<Told> {
    const { status, json, headers } = await this.ask(name, asked);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get(REQUEST_ID_HEADER)).toMatch(/./);
    return z.decode(ROUTES[name].response as never, json as never) as unknown as Told;
  }

  /** Asks for something that must be refused. */
  async refused(code: ErrorCode, name: RouteName, asked: Asked = {}): Promise<void> {
    const { status, json, headers } = await this.ask(name, asked);
    const { error } = z.parse(errorBody, json);
    expect(error.code).toBe(code);
    expect(status).toBe(ERROR_CODES[code].status);
    expect(error.requestId).toBe(headers.get(REQUEST_ID_HEADER));
  }

  async sign(bytes: Uint8Array): Promise<string> {
    return Buffer.from(await signBytes(this.key.keyPair.privateKey, bytes)).toString('base64');
  }

  async signIn(): Promise<this> {
    const wallet = this.key.address;
    const { challengeId, message } = await this.get('challenge', { body: { wallet } });
    const signature = await this.sign(new TextEncoder().encode(message));
    await this.get('verify', { body: { challengeId, wallet, signature } });
    return this;
  }

  /** The prepared transaction with this wallet's signature in it. */
  async signed(transaction: string): Promise<string> {
    const wire = Buffer.from(transaction, 'base64');
    wire.set(Buffer.from(await this.sign(new Uint8Array(wire.subarray(65))), 'base64'), 1);
    return wire.toString('base64');
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
const PUBLIC: readonly RouteName[] = ['config', 'network', 'rules', 'live', 'ready', 'session'];
const SIGNED_IN: readonly RouteName[] = (Object.keys(ROUTES) as RouteName[]).filter(
  (name) => ROUTES[name].access === 'session',
);
const POSTS: readonly RouteName[] = (Object.keys(ROUTES) as RouteName[]).filter(
  (name) => ROUTES[name].method === 'POST' && name !== 'webhook',
);

/** Describes the contract; `held` is asked when the tests run. */
export function describeContract(held: () => Held): void {
  const visitor = async () => new Caller(held(), await held().wallet());
  const signedIn = async () => (await visitor()).signIn();

  describe('every endpoint', () => {
    it.each(PUBLIC)('%s answers anybody with its documented body', async (name) => {
      await (await visitor()).get(name);
    });
    it.each(SIGNED_IN)('%s is for the signed in', async (name) => {
      await (await visitor()).refused('AUTHENTICATION_REQUIRED', name, { id: NO_ID, ...key() });
    });
    it.each(POSTS)('%s takes no other origin, and none', async (name) => {
      const caller = await visitor();
      await caller.refused('ORIGIN_MISMATCH', name, { headers: { origin: 'https://evil.example' } });
    });
    it('refuses what is no JSON, is not called so, or has a field too many', async () => {
      const caller = await visitor();
      await caller.refused('INVALID_REQUEST', 'challenge', { body: '{' });
      const body = { wallet: caller.key.address };
      await caller.refused('INVALID_REQUEST', 'challenge', {
        body,
        headers: { 'content-type': 'text/plain' },
      });
      await caller.refused('INVALID_REQUEST', 'challenge', { body: { ...body, admin: true } });
      await caller.refused('INVALID_REQUEST', 'challenge', { body: { wallet: 'me' } });
    });
    it('config names program and cluster', async () => {
      const { program, genesisHash } = held();
      expect(await (await visitor()).get('config')).toMatchObject({ program, genesisHash });
    });
  });

  describe('sign-in', () => {
    it('binds the message to site, wallet, program, cluster and five minutes', async () => {
      const caller = await visitor();
      const wallet = caller.key.address;
      const told = await caller.get('challenge', { body: { wallet } });
      const { origin, program, genesisHash } = held();
      const fields = parseChallenge(told.message);
      expect(fields).toMatchObject({ origin, wallet, program, genesisHash, challengeId: told.challengeId });
      expect(fields!.expiresAt - fields!.issuedAt).toBe(300n);
      expect(told.expiresAt).toBe(fields!.expiresAt);
    });
    it('sets an HttpOnly cookie for 12 hours, which logout ends', async () => {
      const caller = await visitor();
      const wallet = caller.key.address;
      const { challengeId, message } = await caller.get('challenge', { body: { wallet } });
      const signature = await caller.sign(new TextEncoder().encode(message));
      const { headers } = await caller.ask('verify', { body: { challengeId, wallet, signature } });
      expect(headers.getSetCookie()[0]).toMatch(/^(__Host-)?session=.+; Max-Age=43200; Path=\/; HttpOnly/);
      expect(await caller.get('session')).toMatchObject({ wallet });
      const { cookie } = caller;
      await caller.get('logout');
      expect(await caller.get('session')).toMatchObject({ wallet: null });
      caller.cookie = cookie;
      expect(await caller.get('session')).toMatchObject({ wallet: null });
    });
    it('takes a challenge once, and only the wallet’s own signature', async () => {
      const [caller, other] = [await visitor(), await visitor()];
      const wallet = caller.key.address;
      for (const signer of [other, caller]) {
        const { challengeId, message } = await caller.get('challenge', { body: { wallet } });
        const signature = await signer.sign(new TextEncoder().encode(message));
        const body = { challengeId, wallet, signature };
        if (signer === caller) await caller.get('verify', { body });
        await caller.refused('AUTHENTICATION_REQUIRED', 'verify', { body });
      }
    });
  });

  describe('an operation', () => {
    it('needs an idempotency key of 8 to 100 characters', async () => {
      const caller = await signedIn();
      for (const headers of [
        {},
        key('short').headers,
        key('x'.repeat(101)).headers,
        key('with space').headers,
      ]) {
        await caller.refused('IDEMPOTENCY_KEY_REQUIRED', 'createRuleSet', {
          body: ruleSet(),
          headers: headers as never,
        });
      }
    });
    it('is a draft for 90 seconds: memo and action, unsigned, the wallet pays', async () => {
      const caller = await signedIn();
      const draft = await caller.get('createRuleSet', { body: ruleSet(), ...key() });
      expect(draft).toMatchObject({ state: 'DRAFT', kind: 'CREATE_RULE_SET', wallet: caller.key.address });
      expect(draft.expiresAt - draft.createdAt).toBe(90n);
      const split = splitWireTransaction(new Uint8Array(getBase64Encoder().encode(draft.transaction)))!;
      expect(split.signature.every((byte) => byte === 0)).toBe(true);
      expect(Buffer.from(split.message).includes(memoText(draft.operationId))).toBe(true);
      expect(await caller.get('operation', { id: draft.operationId })).toMatchObject({ state: 'DRAFT' });
    });
    it('is the same for the same key and body, and a conflict for another body', async () => {
      const caller = await signedIn();
      const [body, idempotency] = [ruleSet(), key()];
      const first = await caller.get('createRuleSet', { body, ...idempotency });
      expect(await caller.get('createRuleSet', { body, ...idempotency })).toEqual(first);
      await caller.refused('IDEMPOTENCY_CONFLICT', 'createRuleSet', { body: ruleSet(), ...idempotency });
    });
    it('is taken with the wallet’s signature over the prepared message alone', async () => {
      const [caller, other] = [await signedIn(), await signedIn()];
      const { operationId, transaction } = await caller.get('createRuleSet', { body: ruleSet(), ...key() });
      const submit = (wire: string) => ({ body: { operationId, transaction: wire } });
      const changed = Buffer.from(await caller.signed(transaction), 'base64');
      changed[changed.length - 1]! ^= 1;
      for (const wire of [transaction, await other.signed(transaction), changed.toString('base64')]) {
        await caller.refused('TRANSACTION_MISMATCH', 'submit', submit(wire));
      }
      await other.refused('NOT_FOUND', 'submit', submit(await caller.signed(transaction)));
      await other.refused('NOT_FOUND', 'operation', { id: operationId });
      const queued = await caller.get('submit', submit(await caller.signed(transaction)));
      expect(queued).toMatchObject({ state: 'QUEUED', operationId });
      expect(queued).not.toHaveProperty('transaction');
    });
    it('holds back the next while it is pending, ends FINALIZED, and is seen in the reads', async () => {
      const caller = await signedIn();
      const { operationId, transaction, rule } = await caller.get('createRuleSet', {
        body: ruleSet(),
        ...key(),
      });
      await caller.get('submit', { body: { operationId, transaction: await caller.signed(transaction) } });
      await caller.refused('SIGNED_OPERATION_PENDING', 'createRuleSet', { body: ruleSet(), ...key() });
      await held().settle();
      const states: unknown[] = [];
      for (let look = 0; look < 4 && states.at(-1) !== 'FINALIZED'; look += 1) {
        states.push((await caller.get('operation', { id: operationId })).state);
      }
      expect(states.at(-1)).toBe('FINALIZED');
      expect(await caller.get('operation', { id: operationId })).toMatchObject({ indexed: true });
      const { ruleSets } = await caller.get('passport');
      expect(ruleSets).toMatchObject([{ address: rule, creator: caller.key.address, livePasses: 0n }]);
      const all = await caller.get('rules');
      expect(all.ruleSets.map(({ address }) => address)).toContain(rule);
    });
    it('gives no facts for a proof before there is a credential', async () => {
      const caller = await signedIn();
      const { operationId, transaction, rule } = await caller.get('createRuleSet', {
        body: ruleSet(),
        ...key(),
      });
      await caller.get('submit', { body: { operationId, transaction: await caller.signed(transaction) } });
      await held().settle();
      await caller.refused('CREDENTIAL_REQUIRED', 'proofContext', { body: { rule } });
    });
    it('is refused by name for what is not there', async () => {
      const caller = await signedIn();
      await caller.refused('NOT_FOUND', 'proofContext', { body: { rule: NOBODY } });
      await caller.refused('NOT_FOUND', 'operation', { id: NO_ID });
      const mint = NOBODY;
      await caller.refused('MINT_NOT_BOUND', 'issue', {
        body: { mint, destination: NOBODY, amount: '1' },
        ...key(),
      });
      const body = { mint, source: NOBODY, destination: caller.key.address, amount: '1' };
      await caller.refused('MINT_NOT_BOUND', 'transfer', { body, ...key() });
      await caller.refused('INVALID_REQUEST', 'transfer', { body: { ...body, amount: '0' }, ...key() });
    });
  });
}
