/** The messages between the service and its verifier, and their signatures (docs/verifiers.md). */
export {
  HOSTED_SESSIONS_PATH,
  type HostedSessionRequest,
  hostedSessionRequest,
  hostedSessionResponse,
} from './hosted-session.ts';
export { returnUrlUnder } from './return-url.ts';
export {
  isSameSignature,
  signWebhook,
  verifyWebhook,
  WEBHOOK_HEADERS,
  webhookSecrets,
} from './standard-webhooks.ts';
