/** A wallet that uses the service over HTTP, without the SDK. */
import { randomUUID } from 'node:crypto';
import type { OperationJson } from '@service/server/test-service';
import { type KeyPairSigner, signBytes } from '@solana/kit';
import { pause } from '../wait.ts';
import { type Journal, noteSurprise, type SubmittedOperation, type TokenMove } from './journal.ts';
import {
  LoadEnded,
  type Reply,
  type RequestOptions,
  type Service,
  sendUntilAnswered,
} from './send-request.ts';

/** The origin to which wallets sign in. */
export const ORIGIN = 'https://site.example';
const POLL_MS = 250;
const FINAL_STATES: ReadonlySet<string> = new Set(['FINALIZED', 'FAILED', 'EXPIRED']);

/** A request that prepares an operation. */
export interface PrepareRequest {
  readonly path: '/api/rules' | '/api/mint-bindings' | '/api/proofs' | '/api/mints/issue' | '/api/transfers';
  readonly body: object;
  readonly move?: TokenMove;
}

let addresses = 0;

/** A wallet and its session. */
export class WalletClient {
  readonly service: Service;
  readonly signer: KeyPairSigner;
  readonly journal: Journal;
  cookie: string | undefined;
  /** When the last operation was prepared. */
  #preparedMs = 0;
  /** Every wallet has its own network address, so that they do not share a rate limit. */
  readonly #address = `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;

  constructor(service: Service, signer: KeyPairSigner, journal: Journal) {
    this.service = service;
    this.signer = signer;
    this.journal = journal;
  }

  get address() {
    return this.signer.address;
  }

  async send<T>(request: RequestOptions, over?: Service): Promise<Reply<T>> {
    const headers = {
      'X-Forwarded-For': this.#address,
      ...(request.method === 'POST' ? { Origin: ORIGIN, 'Content-Type': 'application/json' } : {}),
      ...(this.cookie ? { Cookie: this.cookie } : {}),
      ...request.headers,
    };
    const reply = await sendUntilAnswered<T>(over ?? this.service, { ...request, headers });
    const set = reply.headers.get('set-cookie');
    if (set) this.cookie = set.split(';')[0];
    return reply;
  }

  post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send({ method: 'POST', path, body: JSON.stringify(body), headers });
  }

  /** Returns the wallet's signature in base64. */
  async sign(bytes: Uint8Array): Promise<string> {
    return Buffer.from(await signBytes(this.signer.keyPair.privateKey, bytes)).toString('base64');
  }

  /** Signs in. Repeats the whole sign-in if a part of it is rejected, such as a challenge whose response was lost. */
  async signIn(): Promise<this> {
    for (;;) {
      const wallet = this.address;
      const { body } = await this.post<{ challengeId: string; message: string }>('/api/auth/challenge', {
        wallet,
      });
      const signature = await this.sign(new TextEncoder().encode(body.message));
      const verified = await this.post('/api/auth/verify', {
        challengeId: body.challengeId,
        wallet,
        signature,
      });
      if (verified.status === 200) return this;
      noteSurprise(this.journal, `sign-in ${verified.status} ${verified.code}`);
    }
  }

  /** Prepares an operation; null if the service rejects it. */
  async prepare({ path, body }: PrepareRequest): Promise<OperationJson | null> {
    const key = { 'Idempotency-Key': randomUUID() };
    this.#preparedMs = performance.now();
    for (;;) {
      const reply = await this.post<OperationJson>(path, body, key);
      if (reply.status === 200 && reply.body.state === 'DRAFT') return reply.body;
      // The same key returns the draft of the first attempt, which can have expired meanwhile.
      noteSurprise(this.journal, `${path} ${reply.status} ${reply.code ?? reply.body.state}`);
      if (reply.code !== 'SIGNED_OPERATION_PENDING') return null;
      await pause(POLL_MS, this.service.signal);
    }
  }

  /** Signs and submits a prepared operation. Returns it in a final state; null if the service rejects it. */
  async submit(draft: OperationJson, { move }: Pick<PrepareRequest, 'move'>): Promise<OperationJson | null> {
    const entry: SubmittedOperation = {
      id: draft.operationId,
      kind: draft.kind as SubmittedOperation['kind'],
      client: this,
      move: move ?? null,
      preparedMs: this.#preparedMs,
      isAcknowledged: false,
    };
    this.journal.operations.push(entry);
    const wire = Buffer.from(draft.transaction, 'base64');
    wire.set(Buffer.from(await this.sign(new Uint8Array(wire.subarray(65))), 'base64'), 1);
    const request = { operationId: draft.operationId, transaction: wire.toString('base64') };
    const reply = await this.post<OperationJson>('/api/transactions/submit', request);
    if (reply.status !== 200) {
      noteSurprise(this.journal, `/api/transactions/submit ${reply.status} ${reply.code}`);
      return null;
    }
    entry.isAcknowledged = true;
    return this.final(draft.operationId);
  }

  /** Prepares, signs and submits an operation. Returns it in a final state; null if the service rejects it. */
  async run(request: PrepareRequest): Promise<OperationJson | null> {
    const draft = await this.prepare(request);
    return draft && this.submit(draft, request);
  }

  /** Reads an operation until it has a final state. */
  async final(id: string): Promise<OperationJson> {
    for (;;) {
      const { status, body } = await this.operation(id);
      if (status === 200 && FINAL_STATES.has(body.state)) return body;
      if (status !== 200) noteSurprise(this.journal, `/api/operations/{id} ${status}`);
      if (this.service.signal.aborted) throw new LoadEnded('The load has ended.');
      await pause(POLL_MS, this.service.signal);
    }
  }

  operation(id: string, over?: Service): Promise<Reply<OperationJson>> {
    return this.send({ method: 'GET', path: `/api/operations/${id}` }, over);
  }
}
