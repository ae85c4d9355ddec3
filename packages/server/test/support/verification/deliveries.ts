/** Messages of the verifier. */
import { randomUUID } from 'node:crypto';
import type { WebhookRequest } from '@service/contract';
import { signWebhook } from '@service/contract/verifier';
import {
  type CredentialStatement,
  credentialMessage,
  type RevocationStatement,
  revocationMessage,
} from '@service/protocol';
import { WEBHOOK_SECRET } from '@service/server/test-service';
import { type KeyPairSigner, signBytes } from '@solana/kit';
import type { HttpApp } from '../../../src/http/routing/variables.ts';

type Data<T> = Extract<WebhookRequest, { type: T }>['data'];

const signatureOf = async (message: Uint8Array, { keyPair }: KeyPairSigner) =>
  Buffer.from(await signBytes(keyPair.privateKey, message)).toString('base64');

/** Returns the data of a completed verification, signed by an authority. */
export async function completedData(
  sessionId: string,
  { wallet, commitment, issuedAt, expiresAt, ...rest }: CredentialStatement,
  authority: KeyPairSigner,
): Promise<Data<'verification.completed'>> {
  const message = credentialMessage({ wallet, commitment, issuedAt, expiresAt, ...rest });
  const signature = await signatureOf(message, authority);
  return {
    sessionId,
    wallet,
    commitment: Buffer.from(commitment).toString('hex'),
    issuedAt,
    expiresAt,
    signature,
  };
}

/** Returns the data of a revocation, signed by an authority. */
export async function revokedData(
  sessionId: string,
  statement: RevocationStatement,
  authority: KeyPairSigner,
): Promise<Data<'credential.revoked'>> {
  const { wallet, revokedAt } = statement;
  const signature = await signatureOf(revocationMessage(statement), authority);
  return { sessionId, wallet, revokedAt, signature };
}

/** Options of a message. */
export interface DeliverOptions {
  type?: WebhookRequest['type'];
  /** The data of the message, valid or not. */
  data?: object;
  /** Replaces type and data. */
  body?: string | Uint8Array<ArrayBuffer>;
  /** Unix milliseconds. */
  now: number;
  id?: string;
  secret?: string | readonly string[];
  /** A header that is undefined is left out. */
  headers?: Record<string, string | undefined>;
}

/** Returns the text of a message. */
export function messageText({ type = 'verification.completed', data, now }: DeliverOptions): string {
  const event = { type, timestamp: new Date(now).toISOString(), data };
  return JSON.stringify(event, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
}

/** Sends a message to the webhook of an app or URL. Returns the status, the error code, and the body without the request id. */
export async function deliver(to: HttpApp | string, options: DeliverOptions) {
  const { body = messageText(options), now, id = `msg_${randomUUID()}`, secret = WEBHOOK_SECRET } = options;
  const signed = signWebhook({ secret, id, now, body: Buffer.from(body).toString() });
  const headers = Object.entries({
    'content-type': 'application/json',
    ...signed,
    ...options.headers,
  }).filter((header): header is [string, string] => header[1] !== undefined);
  const init = { method: 'POST', body, headers };
  const path = '/api/verifier/webhook';
  const response = await (typeof to === 'string' ? fetch(`${to}${path}`, init) : to.request(path, init));
  const answer = (await response.json()) as { error?: { code: string; requestId?: string } };
  if (answer.error?.requestId === response.headers.get('x-request-id')) delete answer.error?.requestId;
  return { status: response.status, code: answer.error?.code, body: answer };
}

/** The response to an accepted message. */
export const RECEIVED = { status: 200, body: { received: true } };
