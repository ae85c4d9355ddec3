/**
 * Hooks for React, over the options of `@service/sdk/query`. Needs `react` and `@tanstack/react-query`.
 *
 * @module @service/sdk/react
 */
'use client';

export type { BrowserWallet, WalletChoice } from './browser-wallets.ts';
export type { PassGateLabels } from './pass-gate/labels.ts';
export {
  PassGate,
  type PassGateProps,
  type PassGateRender,
  type PassGateStateOf,
} from './pass-gate/pass-gate.ts';
export type { PassGateState, PassGateStep } from './pass-gate/states.ts';
export { type PassGateOptions, usePassGate } from './pass-gate/use-pass-gate.ts';
export { ServiceProvider, type ServiceProviderProps, useServiceClient, useSnapshot } from './provider.ts';
export { type CredentialResult, useCredential } from './use-credential.ts';
export { useFinalIn } from './use-final-in.ts';
export { type OperationResult, useOperation } from './use-operation.ts';
export type { Readiness } from './use-preparation.ts';
export { type Prove, type UseProveRequest, useProve } from './use-prove.ts';
export {
  type QueryOverrides,
  useNetwork,
  usePass,
  usePassport,
  useProofCheck,
  useRuleSets,
  useTransferCheck,
} from './use-queries.ts';
export { type Session, useSession } from './use-session.ts';
export { useWallet, type WalletConnection } from './use-wallet.ts';
export { type TakenWitness, useWitness } from './use-witness.ts';
export {
  useBindMint,
  useCreateRuleSet,
  useGrant,
  useIssue,
  useRecover,
  useRedeem,
  useStartVerification,
  useSuspend,
  useTransfer,
  type Write,
} from './use-writes.ts';
