/** The request that opens a session at the external verifier. It is signed like a Standard Webhook. */
import * as z from 'zod/mini';
import { addressField, idField, u64Field } from '../fields.ts';

/** The path below the verifier's base URL that opens a hosted session. */
export const HOSTED_SESSIONS_PATH = '/sessions';

/** The body of `POST {verifier}/sessions`; expiresAt in Unix seconds. */
export const hostedSessionRequest = z.object({
  sessionId: idField,
  wallet: addressField,
  /** The page under siteOrigin that the person returns to, with the witness in the fragment. */
  returnUrl: z.url(),
  siteOrigin: z.url(),
  /** The URL that the verifier sends webhook messages to. */
  webhookUrl: z.url(),
  /** The program and cluster that the credential is for. */
  program: addressField,
  genesisHash: z.string(),
  expiresAt: u64Field,
});
/** A request to open a hosted session. */
export type HostedSessionRequest = z.infer<typeof hostedSessionRequest>;

/** The response: the URL of the session's hosted page. */
export const hostedSessionResponse = z.object({ url: z.url().check(z.maxLength(2_048)) });
