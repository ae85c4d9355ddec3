/**
 * Hooks for React, over the options of `@service/sdk/query`. Needs `react` and `@tanstack/react-query`.
 *
 * @module @service/sdk/react
 */
'use client';

export { ServiceProvider, type ServiceProviderProps, useServiceClient, useSnapshot } from './provider.ts';
export { type CredentialResult, useCredential } from './use-credential.ts';
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
