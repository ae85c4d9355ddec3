/** A wallet that uses the service over plain requests: what a browser sends, without a client library. */
import { randomUUID } from 'node:crypto';
import type { Challenge, ErrorCode, Operation, RegionCode, StatusCode } from '@service/contract';
import type { CreatedService } from '@service/server';
import { type KeyPairSigner, signBytes } from '@solana/kit';

/** An answer; `error` when it is one. */
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

  get<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.send(path, { method: 'GET' });
  }

  post<T = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { Origin: this.origin, 'Content-Type': 'application/json', ...headers },
    });
  }

  /** A preparing request, under a fresh key unless one is given. */
  prepare(path: string, body: unknown, key: string = randomUUID()): Promise<Answer<OperationJson>> {
    return this.post(path, body, { 'Idempotency-Key': key });
  }

  async send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
    const headers = new Headers(init.headers);
    if (this.cookie) headers.set('Cookie', this.cookie);
    const response = await this.app.request(path, { ...init, headers });
    const set = response.headers.get('set-cookie');
    if (set) this.cookie = set.split(';')[0];
    const body = (await response.json()) as T & { error?: { code: ErrorCode; message: string } };
    return {
      status: response.status,
      headers: response.headers,
      body,
      code: body.error?.code,
      message: body.error?.message,
    };
  }

  async challenge(): Promise<Challenge & { expiresAt: string }> {
    const { body } = await this.post('/api/auth/challenge', { wallet: this.address });
    return body as unknown as Challenge & { expiresAt: string };
  }

  /** Base64 of the wallet's signature over a text or bytes. */
  async sign(message: string | Uint8Array): Promise<string> {
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message;
    return Buffer.from(await signBytes(this.signer.keyPair.privateKey, bytes)).toString('base64');
  }

  async signIn(): Promise<this> {
    const { challengeId, message } = await this.challenge();
    const signature = await this.sign(message);
    const answer = await this.post('/api/auth/verify', { challengeId, wallet: this.address, signature });
    if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.message}`);
    return this;
  }

  /** A prepared transaction (base64) with this wallet's signature in it. */
  async signTransaction(transaction: string): Promise<string> {
    const wire = Buffer.from(transaction, 'base64');
    wire.set(Buffer.from(await this.sign(new Uint8Array(wire.subarray(65))), 'base64'), 1);
    return wire.toString('base64');
  }

  submit(operationId: string, transaction: string): Promise<Answer<OperationJson>> {
    return this.post('/api/transactions/submit', { operationId, transaction });
  }

  async signAndSubmit(prepared: Answer<OperationJson>): Promise<Answer<OperationJson>> {
    const { operationId, transaction } = prepared.body;
    return this.submit(operationId, await this.signTransaction(transaction));
  }

  operation(id: string): Promise<Answer<OperationJson>> {
    return this.get(`/api/operations/${id}`);
  }
}

/** The body of a rule set that can be created, with a nonce of its own. */
export function ruleSetBody(nonce = BigInt(Math.floor(Math.random() * 2 ** 50))) {
  return {
    name: 'Adults in France',
    nonce: nonce.toString(),
    clauses: [{ regions: ['FR' as RegionCode], statuses: ['retail' as StatusCode], minAge: 18 }],
    maxPassAgeSeconds: '86400',
  };
}
