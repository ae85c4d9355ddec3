/** What the service asks of its external verifier when a person starts verification; signed as Standard Webhooks are. */
import { addressField, idField, u64Field } from '@service/contract';
import * as z from 'zod/mini';

/** Path at the verifier's base URL that opens a hosted session. */
export const HOSTED_SESSIONS_PATH = '/sessions';

/** `POST {verifier}/sessions`; expiresAt in Unix seconds. */
export const hostedSessionRequest = z.object({
  sessionId: idField,
  wallet: addressField,
  /** Where the person goes back to, with the witness in the fragment; under siteOrigin. */
  returnUrl: z.url(),
  siteOrigin: z.url(),
  /** Where the verifier reports to. */
  webhookUrl: z.url(),
  /** The program and cluster that the credential is for. */
  program: addressField,
  genesisHash: z.string(),
  expiresAt: u64Field,
});
/** What a hosted session is opened with. */
export type HostedSessionRequest = z.infer<typeof hostedSessionRequest>;

/** The hosted page of the session. */
export const hostedSessionResponse = z.object({ url: z.url().check(z.maxLength(2_048)) });
