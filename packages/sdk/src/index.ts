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
  type ProgramErrorName,
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
export type { RuleSetsOptions } from './client/reads.ts';
export { ServiceClient, type ServiceClientOptions } from './client/service-client.ts';
export type { ClientSnapshot, OperationUnderWay } from './client/snapshot.ts';
export { type Deployment, parseDeployment } from './deployment.ts';
export { buildEligibilityContext, type EligibilityContext } from './eligibility/context.ts';
export { type EligibilityProof, generateEligibilityProof } from './eligibility/generate-eligibility-proof.ts';
export { latestPassExpiry, type PassExpiryFacts } from './eligibility/pass-expiry.ts';
export { disposeProver, preloadProver } from './eligibility/prover-lifetime.ts';
export type { WaitForCredentialOptions } from './eligibility/verification.ts';
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
export type { RetryOptions } from './http/transport.ts';
export type { CallOptions } from './lib/deadline.ts';
export type { Prepare, PrepareOptions } from './operations/prepare.ts';
export type { Prepared, PreparedRuleSet } from './operations/prepared.ts';
export type {
  BindMint,
  ClauseRequest,
  CreateRuleSet,
  Issue,
  Prove,
  Requests,
  Transfer,
} from './operations/requests.ts';
export type { SubmittedOperation } from './operations/sign-and-submit.ts';
export type { FinalizedOperation, WaitOptions } from './operations/wait-for-operation.ts';
export type {
  MintBound,
  PassOpened,
  ProveWithWitness,
  ProveWriteOptions,
  RuleSetCreated,
  WriteOptions,
} from './operations/writes.ts';
export type {
  CheckProve,
  CheckProveOptions,
  ProveFacts,
  ProveReason,
  ProveVerdict,
} from './preflight/check-proof.ts';
export type {
  Actor,
  ExplainTransfer,
  ExplainTransferOptions,
  TransferFacts,
  TransferReason,
  TransferVerdict,
} from './preflight/check-transfer.ts';
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
export type { VerifyOperationOptions } from './receipt/verify-operation.ts';
export { type VerifyReceiptOptions, verifyReceipt } from './receipt/verify-receipt.ts';
export type { ChainRpc } from './rpc/chain-rpc.ts';
export type { PassLife } from './rpc/pass-life.ts';
export type { MessageDifference } from './transaction/compare-messages.ts';
export type { WalletChange } from './transaction/wallet-changes.ts';
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
