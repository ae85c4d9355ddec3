/**
 * For tests of dApps: people who are verified at a running development stack, a service in memory that behaves well, and
 * one that lies in every way that this SDK refuses.
 *
 * @module @service/sdk/testing
 */
export {
  TEST_ARTIFACTS_DIGEST,
  type TestCredential,
  type TestCredentialOptions,
  testCredential,
  testDeployment,
  testWallet,
} from './fixtures.ts';
export { type FundedWalletOptions, fundedWallet } from './funded-wallet.ts';
export { type HostileFetch, type HostileFetchOptions, hostileFetch } from './hostile-fetch.ts';
export type { HostileCall, HostileCategory, HostileMode } from './hostile-mode.ts';
export { HOSTILE_MODES } from './hostile-modes.ts';
export { readDeployment } from './read-deployment.ts';
export {
  hostileHandlers,
  type ServiceHandlers,
  type ServiceHandlersOptions,
  serviceHandlers,
} from './service-handlers.ts';
export { type VerifiedPerson, type VerifiedPersonOptions, verifiedPerson } from './verified-person.ts';
