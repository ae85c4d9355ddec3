/**
 * Options for TanStack Query 5, with React, Vue, Solid or Svelte, and actions that need no framework. The entry imports
 * nothing of TanStack.
 *
 * @module @service/sdk/query
 */

export type { StartVerificationRequest } from '../eligibility/verification.ts';
export { type CredentialQuery, credentialQueryOptions } from './credential-query.ts';
export { type ServiceQueryKeys, serviceQueryKeys } from './keys.ts';
export type { ProveVariables } from './mutations.ts';
export {
  authenticateMutationOptions,
  bindMintMutationOptions,
  createRuleSetMutationOptions,
  grantMutationOptions,
  issueMutationOptions,
  logoutMutationOptions,
  type ProveMutation,
  proveMutationOptions,
  recoverMutationOptions,
  redeemMutationOptions,
  startVerificationMutationOptions,
  suspendMutationOptions,
  transferMutationOptions,
} from './mutations.ts';
export type { OperationQuery } from './operation-queries.ts';
export { operationQueryOptions, receiptQueryOptions } from './operation-queries.ts';
export type { ProveProgress, ProveStep } from './prove-progress.ts';
export { type ProveWithProgressOptions, proveWithProgress } from './prove-with-progress.ts';
export {
  networkQueryOptions,
  type RuleSetsQuery,
  ruleSetsQueryOptions,
  sessionQueryOptions,
} from './read-queries.ts';
export type {
  InvalidatingClient,
  ServiceMutationOptions,
  ServiceQueryContext,
  ServiceQueryKey,
  ServiceQueryMeta,
  ServiceQueryOptions,
} from './shapes.ts';
export { invalidateAfter, keysStaleAfter, type ServiceWrite } from './stale-after.ts';
export type { PassQuery, ProofCheckQuery, WalletQuery } from './wallet-queries.ts';
export {
  passportQueryOptions,
  passQueryOptions,
  proofCheckQueryOptions,
  transferCheckQueryOptions,
} from './wallet-queries.ts';
export type { CacheEvent, WatchedCache, WatchedQueryCache } from './watch-session.ts';
export { type WatchedClient, watchSession } from './watch-session.ts';
export {
  createWitnessStore,
  type HeldWitness,
  type WitnessStorage,
  type WitnessStore,
} from './witness-store.ts';
