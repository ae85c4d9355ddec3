import type { KeyPairSigner } from '@solana/kit';
import type { Logger } from 'pino';

/** Options of a sandbox verifier. */
export interface SandboxVerifierOptions {
  /** The key of the verifier authority: a key pair, or a signer with one. */
  readonly authority: KeyPairSigner['keyPair'] | Pick<KeyPairSigner, 'keyPair'>;
  /** The Standard Webhooks secret that it shares with the service: `whsec_` and base64. */
  readonly webhookSecret: string;
  /** The secret key, 32 bytes, from which it derives the person of a witness. Another key makes everyone another person. */
  readonly personKey: Uint8Array;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Unix milliseconds. @default Date */
  readonly clock?: { now(): number };
  /** Seconds until a credential expires. @default 365 days */
  readonly credentialLifetimeSeconds?: number;
  /** Milliseconds before each retry of the webhook. @default 250, 500, 1000, 2000 */
  readonly retryDelaysMs?: readonly number[];
  /** File that keeps the sessions over a restart. @default in memory */
  readonly sessionsFile?: string;
  /** Sends the webhooks. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}
