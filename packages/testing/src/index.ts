/**
 * Test tools for dApps: a service that tampers, simulated wallets, a wallet for development, and verified people at a
 * running development stack. `@service/testing/msw` has a service in memory.
 *
 * @module @service/testing
 */
export {
  type DevelopmentWallet,
  type DevelopmentWalletOptions,
  type DevelopmentWalletRequest,
  registerDevelopmentWallet,
} from './development-wallet/development-wallet.ts';
export type { DevelopmentWalletStorage } from './development-wallet/stored-accounts.ts';
export {
  TEST_ARTIFACTS_DIGEST,
  type TestCredential,
  type TestCredentialOptions,
  testCredential,
  testDeployment,
  testWallet,
} from './memory/fixtures.ts';
export { quickClock } from './memory/quick-clock.ts';
export { type FundedWalletOptions, fundedWallet } from './people/funded-wallet.ts';
export { readDeployment } from './people/read-deployment.ts';
export {
  type SandboxAnswers,
  type SandboxVisit,
  type VerifiedPerson,
  type VerifiedPersonOptions,
  type VisitOptions,
  verifiedPerson,
  visitSandbox,
} from './people/verified-person.ts';
export { type HostileFetch, hostileFetch } from './tampering/hostile-fetch.ts';
export type { HostileCall, HostileCategory, HostileMode, Tamper } from './tampering/hostile-mode.ts';
export { HOSTILE_MODES } from './tampering/modes/index.ts';
export type { SimulatedWalletRpc } from './wallets/outcome.ts';
export {
  SIMULATED_WALLETS,
  type SimulatedNonce,
  type SimulatedWallet,
  type SimulatedWalletId,
  type SimulatedWalletKind,
  type SimulatedWalletOptions,
  simulatedWallet,
} from './wallets/simulated-wallet.ts';
export type { SimulatedStandardAccount, SimulatedStandardWallet } from './wallets/standard.ts';
