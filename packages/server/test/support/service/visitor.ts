/** A wallet that uses the service with the requests of a browser, without the client. */
import { randomUUID } from 'node:crypto';
import type { Challenge, ErrorCode, Operation, RegionCode, StatusCode } from '@service/contract';
import { type KeyPairSigner, signBytes } from '@solana/kit';
import type { CreatedService } from '../../../src/index.ts';

/** A response. An error has a code and a message. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly code: ErrorCode | undefined;
  readonly message: string | undefined;
}

/** An operation as its JSON. */
export type OperationJson = {
  [K in
    | 'operationId'
    | 'state'
    | 'transaction'
    | 'signature'
    | 'slot'
    | 'expiresAt'
    | 'kind'
    | 'rule']: string;
} & { failure: NonNullable<Extract<Operation, { state: 'FAILED' }>['failure']>; indexed: boolean };

/** A wallet with its cookie. */
export class Visitor {
  readonly app: CreatedService['app'];
  readonly signer: KeyPairSigner;
  readonly origin: string;
  cookie: string | undefined;

  constructor(app: CreatedService['app'], signer: KeyPairSigner, origin: string) {
    this.app = app;
    this.signer = signer;
    this.origin = origin;
  }

  get address() {
    return this.signer.address;
  }

  get<T = Record<string, unknown>>(path: string) {
    return this.send<T>(path, { method: 'GET' });
  }

  post<T = Record<string, unknown>>(path: string, body: unknown, more: Record<string, string> = {}) {
    const headers = { Origin: this.origin, 'Content-Type': 'application/json', ...more };
    return this.send<T>(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** Sends a request that prepares an operation, with a new idempotency key by default. */
  prepare(path: string, body: unknown, key: string = randomUUID()) {
    return this.post<OperationJson>(path, body, { 'Idempotency-Key': key });
  }

  async send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
    const headers = new Headers(init.headers);
    if (this.cookie) headers.set('Cookie', this.cookie);
    const response = await this.app.request(path, { ...init, headers });
    const set = response.headers.get('set-cookie');
    if (set) this.cookie = set.split(';')[0];
    const body = (await response.json()) as T & { error?: { code: ErrorCode; message: string } };
    const { code, message } = body.error ?? {};
    return { status: response.status, headers: response.headers, body, code, message };
  }

  async challenge() {
    const request = { wallet: this.address };
    return (await this.post<Challenge & { expiresAt: string }>('/api/auth/challenge', request)).body;
  }

  /** Returns the wallet's signature over a text or bytes, in base64. */
  async sign(message: string | Uint8Array): Promise<string> {
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message;
    return Buffer.from(await signBytes(this.signer.keyPair.privateKey, bytes)).toString('base64');
  }

  async signIn(): Promise<this> {
    const { challengeId, message } = await this.challenge();
    const signature = await this.sign(message);
    const verified = await this.post('/api/auth/verify', { challengeId, wallet: this.address, signature });
    if (verified.status !== 200) throw new Error(`The sign-in failed: ${verified.message}`);
    return this;
  }

  /** Returns a prepared transaction (base64) with this wallet's signature. */
  async signTransaction(transaction: string): Promise<string> {
    const wire = Buffer.from(transaction, 'base64');
    wire.set(Buffer.from(await this.sign(new Uint8Array(wire.subarray(65))), 'base64'), 1);
    return wire.toString('base64');
  }

  submit(operationId: string, transaction: string) {
    return this.post<OperationJson>('/api/transactions/submit', { operationId, transaction });
  }

  async signAndSubmit({ body: { operationId, transaction } }: Answer<OperationJson>) {
    return this.submit(operationId, await this.signTransaction(transaction));
  }

  operation(id: string) {
    return this.get<OperationJson>(`/api/operations/${id}`);
  }
}

/** Returns a request that creates a rule set, with a random nonce by default. */
export function ruleSetBody(nonce = BigInt(Math.floor(Math.random() * 2 ** 50))) {
  return {
    name: 'Adults in France',
    nonce: nonce.toString(),
    clauses: [{ regions: ['FR' as RegionCode], statuses: ['retail' as StatusCode], minAge: 18 }],
    maxPassAgeSeconds: '86400',
  };
}
