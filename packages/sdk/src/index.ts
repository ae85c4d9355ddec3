/**
 * The client of the Rule-Set and Pass Service. Transactions that the API does not prepare are in `@service/sdk/chain`.
 *
 * @module @service/sdk
 */
export type {
  Clause,
  Credential,
  MintBinding,
  NetworkConfiguration,
  Operation,
  OperationKind,
  OperationState,
  Pass,
  Passport,
  ProgramErrorName,
  ProofContext,
  RegionCode,
  RuleSet,
  ServiceConfig,
  StatusCode,
  VerificationSession,
  Verifier,
  Witness,
} from '@service/contract';
export type { ServiceClientOptions } from './client/create-state.ts';
export type { Deployment } from './deployment.ts';
export type { EligibilityContext } from './eligibility/eligibility-context.ts';
export type { EligibilityProof } from './eligibility/generate-eligibility-proof.ts';
export type { ServiceErrorCode } from './error-codes.ts';
export type { MessageDifference, ServiceErrorContexts, WalletChange } from './error-contexts.ts';
export type { ServiceErrorOf } from './errors.ts';
// tsup.config.ts says why these are not exported by name.
export * from './exports/artifacts.ts';
export * from './exports/client.ts';
export * from './exports/codes.ts';
export * from './exports/deployment.ts';
export * from './exports/errors.ts';
export * from './exports/proofs.ts';
export * from './exports/receipts.ts';
export * from './exports/standard-wallet.ts';
export * from './exports/with-kit.ts';
export * from './exports/witness.ts';
export type { CallOptions, Clock } from './lib/clock.ts';
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
export type { ArtifactSource } from './prover/artifact-source/artifacts-from.ts';
export type { CheckedArtifacts } from './prover/artifact-source/check-artifacts.ts';
export type { ProofProgress } from './prover/progress.ts';
export type { Receipt } from './receipt/receipt.ts';
export type { ChainRpc } from './rpc/chain.ts';
export type { ClientSnapshot } from './session/snapshot.ts';
export type { PlainWallet, TransactionWallet, Wallet } from './wallet/wallet.ts';
