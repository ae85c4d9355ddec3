/**
 * The client of the Rule-Set and Pass Service. What the API does not prepare is in `@service/sdk/chain`.
 *
 * @module @service/sdk
 */
export {
  type Binding,
  type Circuit,
  type Clause,
  type Config,
  type Credential,
  type ErrorCode,
  type Index,
  isRegionCode,
  isStatusCode,
  type Network,
  OPERATION_KINDS,
  OPERATION_STATES,
  type Operation,
  type OperationFailure,
  type OperationKind,
  type OperationState,
  type Pass,
  type Passport,
  type ProofContext,
  REGION_GROUPS,
  REGIONS,
  type RegionCode,
  type RegionName,
  type RuleSet,
  type SignedIn,
  STATUSES,
  type StatusCode,
  type StatusName,
  type Verification,
  type VerificationSession,
  type Verifier,
  type Witness,
} from '@service/contract';
export type { ArtifactManifest } from '@service/protocol/eligibility/manifest';
export { tokenAccountOf } from './chain/token-account.ts';
export type { ChainRpc } from './client/chain-rpc.ts';
export type {
  CheckProve,
  CheckProveOptions,
  ProveFacts,
  ProveReason,
  ProveVerdict,
} from './client/check-prove.ts';
export type { MessageDifference } from './client/compare-messages.ts';
export type { CallOptions } from './client/deadline.ts';
export type {
  Actor,
  ExplainTransfer,
  ExplainTransferOptions,
  TransferFacts,
  TransferReason,
  TransferVerdict,
} from './client/explain-transfer.ts';
export type { PassLife } from './client/pass-life.ts';
export type { Prepare, PrepareOptions } from './client/prepare.ts';
export type { Prepared, PreparedRuleSet } from './client/prepared.ts';
export type { RuleSetsOptions } from './client/reads.ts';
export type {
  BindMint,
  ClauseRequest,
  CreateRuleSet,
  Issue,
  Prove,
  Requests,
  Transfer,
} from './client/requests.ts';
export { ServiceClient, type ServiceClientOptions } from './client/service-client.ts';
export type { SubmittedOperation } from './client/sign-and-submit.ts';
export type { ClientSnapshot, OperationUnderWay } from './client/snapshot.ts';
export type { RetryOptions } from './client/transport.ts';
export type { WaitForCredentialOptions } from './client/verification.ts';
export type { VerifyOperationOptions } from './client/verify-operation.ts';
export type { FinalizedOperation, WaitOptions } from './client/wait-for-operation.ts';
export type { WalletChange } from './client/wallet-changes.ts';
export type {
  MintBound,
  PassOpened,
  ProveWithWitness,
  ProveWriteOptions,
  RuleSetCreated,
  WriteOptions,
} from './client/writes.ts';
export { type Deployment, parseDeployment } from './deployment.ts';
export { buildEligibilityContext, type EligibilityContext } from './eligibility/context.ts';
export { type EligibilityProof, generateEligibilityProof } from './eligibility/generate-eligibility-proof.ts';
export { latestPassExpiry, type PassExpiryFacts } from './eligibility/pass-expiry.ts';
export { disposeProver, preloadProver } from './eligibility/prover-lifetime.ts';
export { parseWitness, parseWitnessFragment, takeWitnessFromLocation } from './eligibility/witness.ts';
export type {
  ChallengeBinding,
  ClientErrorCode,
  FailedOperation,
  ServiceErrorCode,
  ServiceErrorContext,
  ServiceErrorContexts,
  UnmetClause,
} from './error-codes.ts';
export { isServiceError, ServiceError, type ServiceErrorOf, type ServiceErrorOptions } from './errors.ts';
export {
  type ArtifactSource,
  type ArtifactsAtUrl,
  type ArtifactsFromOptions,
  type ArtifactsInBytes,
  type ArtifactsInFiles,
  artifactsFrom,
  type LoadOptions,
} from './prover/artifacts/artifacts-from.ts';
export type { CheckedArtifacts } from './prover/artifacts/check-artifacts.ts';
export type { ProofPhase, ProofProgress } from './prover/progress.ts';
export type { ProveOptions } from './prover/prove-facts.ts';
export { parseReceipt, type Receipt } from './receipt/receipt.ts';
export { type VerifyReceiptOptions, verifyReceipt } from './receipt/verify-receipt.ts';
export { walletFromKeyPair } from './wallet/key-pair.ts';
export {
  type StandardWallet,
  type StandardWalletAccount,
  type StandardWalletOptions,
  standardWallet,
} from './wallet/standard-wallet.ts';
export type {
  KitTransactionWallet,
  KitWallet,
  PlainWallet,
  TransactionWallet,
  Wallet,
} from './wallet/wallet.ts';
