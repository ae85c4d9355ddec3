/**
 * The client of the Rule-Set and Pass Service. Transactions that the API does not prepare are in `@service/sdk/chain`.
 *
 * @module @service/sdk
 */
export {
  type Clause,
  type Credential,
  isRegionCode,
  isStatusCode,
  type MintBinding,
  type NetworkConfiguration,
  OPERATION_KINDS,
  OPERATION_STATES,
  type Operation,
  type OperationKind,
  type OperationState,
  type Pass,
  type Passport,
  type ProgramErrorName,
  type ProofContext,
  REGION_GROUPS,
  REGIONS,
  type RegionCode,
  type RuleSet,
  type ServiceConfig,
  STATUSES,
  type StatusCode,
  type VerificationSession,
  type Verifier,
  type Witness,
} from '@service/contract';
export { tokenAccountOf } from './chain/token-account.ts';
export type { ServiceClientOptions } from './client/create-core.ts';
export { ServiceClient } from './client/service-client.ts';
export type { ClientSnapshot } from './client/snapshot.ts';
export { type Deployment, parseDeployment } from './deployment.ts';
export { buildEligibilityContext, type EligibilityContext } from './eligibility/eligibility-context.ts';
export { type EligibilityProof, generateEligibilityProof } from './eligibility/generate-eligibility-proof.ts';
export { latestPassExpiry } from './eligibility/pass-expiry.ts';
export { disposeProver, preloadProver } from './eligibility/prover-lifetime.ts';
export { parseWitness, parseWitnessFragment, takeWitnessFromLocation } from './eligibility/witness.ts';
export type { ServiceErrorCode } from './error-codes.ts';
export type { ServiceErrorContexts } from './error-contexts.ts';
export { isServiceError, ServiceError, type ServiceErrorOf } from './errors.ts';
export type { CallOptions } from './lib/deadline.ts';
export type { PreparedOperation } from './operations/prepared.ts';
export type {
  BindMintRequest,
  CreateRuleSetRequest,
  IssueRequest,
  ProveRequest,
  TransferRequest,
} from './operations/requests.ts';
export type { FinalizedOperation, WaitOptions } from './operations/wait-options.ts';
export type { WriteOptions } from './operations/writes.ts';
export type { ProofCheck, ProofCheckReason } from './preflight/proof-check-types.ts';
export type { TransferCheck, TransferCheckReason } from './preflight/transfer-check-types.ts';
export { type ArtifactSource, artifactsFrom } from './prover/artifact-source/artifacts-from.ts';
export type { CheckedArtifacts } from './prover/artifact-source/check-artifacts.ts';
export type { ProofProgress } from './prover/progress.ts';
export { parseReceipt, type Receipt } from './receipt/receipt.ts';
export { verifyReceipt } from './receipt/verify-receipt.ts';
export type { ChainRpc } from './rpc/chain-rpc.ts';
export type { MessageDifference } from './transaction/compare-messages.ts';
export type { WalletChange } from './transaction/wallet-changes.ts';
export { walletFromKeyPair } from './wallet/key-pair.ts';
export { standardWallet } from './wallet/standard-wallet.ts';
export type { PlainWallet, TransactionWallet, Wallet } from './wallet/wallet.ts';
