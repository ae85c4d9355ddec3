/** The messages between the service and its verifier (docs/verifiers.md), for code that acts as the verifier. */

export { signWebhook, verifyWebhook } from '../webhooks/standard-webhooks.ts';
export {
  HOSTED_SESSIONS_PATH,
  type HostedSessionRequest,
  hostedSessionRequest,
} from './hosted-session.ts';
export { returnUrlUnder } from './return-url.ts';
export { readCredentialClaim } from './webhook/credential-claim.ts';
export { readRevocationClaim } from './webhook/revocation-claim.ts';
