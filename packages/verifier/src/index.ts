/** A verifier: it lets an identity provider check people, and signs their credentials for services. */
export { type CreatedVerifier, type CreateVerifierOptions, createVerifier } from './create-verifier.ts';
export { type Database, DatabaseMismatchError, openDatabase } from './database/database.ts';
export { MIGRATIONS } from './database/migrations/index.ts';
export { fileAttestationKey, filePersonKey } from './keys/file-keys.ts';
export { type AttestationKey, KeyError, type PersonKey } from './keys/keys.ts';
export type { Policy } from './policy/policy.ts';
export { type Decision, type Provider, ProviderError, WebhookError } from './provider.ts';
export { type DecisionRecords, recordsInFolder, recordsInMemory } from './providers/decision-records.ts';
export { PROVIDER_KINDS } from './providers/kinds.ts';
export { SANDBOX_POLICY, type SandboxOptions, sandboxProvider } from './providers/sandbox.ts';
export {
  type SandboxVerifier,
  type SandboxVerifierOptions,
  startSandboxVerifier,
} from './sandbox-verifier.ts';
export type { Site } from './sites/agreed-sites.ts';
export type { Settings } from './verifier.ts';
