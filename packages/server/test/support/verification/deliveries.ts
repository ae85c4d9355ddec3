/** Messages of the verifier. */
import { randomUUID } from 'node:crypto';
import type { WebhookRequest } from '@service/contract';
import {
  type CredentialStatement,
  credentialMessage,
  type RevocationStatement,
  revocationMessage,
} from '@service/protocol';
import { type KeyPairSigner, signBytes } from '@solana/kit';
import type { HttpApp } from '../../../src/http/routing/variables.ts';
import { signWebhook } from '../../../src/verification/webhook/standard-webhooks.ts';
import { WEBHOOK_SECRET } from '../read-service.ts';

type Data<T> = Extract<WebhookRequest, { type: T }>['data'];

/** Returns the data of a completed verification, signed by an authority. */
export async function completedData(
  sessionId: string,
  statement: CredentialStatement,
  authority: KeyPairSigner,
): Promise<Data<'verification.completed'>> {
  const signature = await signBytes(authority.keyPair.privateKey, credentialMessage(statement));
  return {
    sessionId,
    wallet: statement.wallet,
    commitment: Buffer.from(statement.commitment).toString('hex'),
    issuedAt: statement.issuedAt,
    expiresAt: statement.expiresAt,
    signature: Buffer.from(signature).toString('base64'),
  };
}

/** Returns the data of a revocation, signed by an authority. */
export async function revokedData(
  sessionId: string,
  statement: RevocationStatement,
  authority: KeyPairSigner,
): Promise<Data<'credential.revoked'>> {
  const { wallet, revokedAt } = statement;
  const signature = await signBytes(authority.keyPair.privateKey, revocationMessage(statement));
  return { sessionId, wallet, revokedAt, signature: Buffer.from(signature).toString('base64') };
}

/** Options of a message. */
export interface DeliverOptions {
  type?: WebhookRequest['type'];
  /** The data of the message, valid or not. */
  data: object;
  /** Unix milliseconds. */
  now: number;
  id?: string;
  secret?: string;
  headers?: Record<string, string>;
}

/** Sends a message to the webhook. Returns the status and the error code. */
export async function deliver(
  app: HttpApp,
  { type = 'verification.completed', data, now, ...rest }: DeliverOptions,
): Promise<{ status: number; code: string | undefined; received: boolean | undefined }> {
  const { id = `msg_${randomUUID()}`, secret = WEBHOOK_SECRET, headers = {} } = rest;
  const event = { type, timestamp: new Date(now).toISOString(), data };
  const body = JSON.stringify(event, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
  const response = await app.request('/api/verifier/webhook', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signWebhook({ secret, id, now, body }), ...headers },
  });
  const answer = (await response.json()) as { received?: boolean; error?: { code: string } };
  return { status: response.status, code: answer.error?.code, received: answer.received };
}
