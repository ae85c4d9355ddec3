/**
 * The client of the Rule-Set and Pass Service. Transactions that the API does not prepare are in `@service/sdk/chain`.
 *
 * @module @service/sdk
 */
export type {
  Clause,
  Credential,
  ErrorCode,
  Gate,
  MintBinding,
  NetworkConfiguration,
  Operation,
  OperationIn,
  OperationKind,
  OperationState,
  Pass,
  Passport,
  ProgramErrorName,
  ProofContext,
  RegionCode,
  RegionName,
  RuleSet,
  ServiceConfig,
  SignedIn,
  StatusCode,
  StatusName,
  VerificationSession,
  Verifier,
  Witness,
} from '@service/contract';
export type {
  ArtifactFile,
  ArtifactFiles,
  ArtifactManifest,
  CeremonySetup,
  ClauseMasks,
  DevelopmentSetup,
  OperatorSetup,
  SetupBeacon,
  SetupContribution,
  SetupProvenance,
} from '@service/protocol/eligibility';
export type { ServiceClientOptions } from './client/create-state.ts';
export type { Prepare } from './client/prepare.ts';
export type { Deployment } from './deployment.ts';
export type { EligibilityContext } from './eligibility/eligibility-context.ts';
export type {
  EligibilityProof,
  EligibilityProofOptions,
} from './eligibility/generate-eligibility-proof.ts';
export type { PassExpiryFacts } from './eligibility/pass-expiry.ts';
export type { StartVerificationRequest, WaitForCredentialOptions } from './eligibility/verification.ts';
export type { ClientErrorCode, ServiceErrorCode } from './error-codes.ts';
export type {
  ChallengeBinding,
  FailedOperation,
  FundsShortfall,
  MessageDifference,
  PlatformLack,
  ProgramFailure,
  ServiceErrorContext,
  ServiceErrorContexts,
  UnmetClause,
  WalletChange,
} from './error-contexts.ts';
export type { ContextPart, ServiceErrorOf, ServiceErrorOptions } from './errors.ts';
// tsup.config.ts says why these are not exported by name.
export * from './exports/artifacts.ts';
export * from './exports/client.ts';
export * from './exports/codes.ts';
export * from './exports/deployment.ts';
export * from './exports/errors.ts';
export * from './exports/platform.ts';
export * from './exports/proofs.ts';
export * from './exports/receipts.ts';
export * from './exports/saved-witness.ts';
export * from './exports/standard-wallet.ts';
export * from './exports/with-kit.ts';
export * from './exports/witness.ts';
export type { RetryOptions } from './http/transport.ts';
export type { CallOptions, Clock } from './lib/clock.ts';
export type { AdditionOptions, PriorityFeeOptions } from './operations/additions/addition-options.ts';
export type { SubmittedOperation } from './operations/outcome/ledger.ts';
export type { PrepareOptions } from './operations/prepare.ts';
export type { PreparedOperation, PreparedRuleSet } from './operations/prepared.ts';
export type {
  BindMintRequest,
  ClauseRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  ProveFromProof,
  ProveFromWitness,
  ProveRequest,
  RecoverRequest,
  RedeemRequest,
  Requests,
  SuspendRequest,
  TransferRequest,
} from './operations/requests.ts';
export type { SignOptions } from './operations/sign-and-submit.ts';
export type { FetchReceiptOptions, FinalizedOperation, WaitOptions } from './operations/wait-options.ts';
export type {
  MintBound,
  PassChanged,
  PassOpened,
  ProveOptions,
  RuleSetCreated,
  WriteOptions,
} from './operations/writes.ts';
export type { CheckReason } from './preflight/check-reason.ts';
export type {
  CheckProofOptions,
  CheckProofRequest,
  ProofCheck,
  ProofCheckFacts,
  ProofCheckReason,
} from './preflight/proof-check-types.ts';
export type {
  CheckTransferOptions,
  CheckTransferRequest,
  PassExpired,
  PassReason,
  PassSuspended,
  TokenAccountReason,
  TransferCheck,
  TransferCheckFacts,
  TransferCheckReason,
} from './preflight/transfer-check-types.ts';
export type {
  ArtifactSource,
  ArtifactsAtUrl,
  ArtifactsFromOptions,
  ArtifactsInBytes,
  ArtifactsInFiles,
  LoadOptions,
} from './prover/artifact-source/artifacts-from.ts';
export type { CheckedArtifacts } from './prover/artifact-source/check-artifacts.ts';
export type { NativeProof, NativeProofRequest, NativeProver } from './prover/native/native-prover.ts';
export type { ProofPhase, ProofProgress } from './prover/progress.ts';
export type { ProverOptions } from './prover/prove-facts.ts';
export type { VerifyReceiptOptions } from './receipt/check-receipt.ts';
export type { Receipt } from './receipt/receipt.ts';
export type { ChainRpc } from './rpc/checked-rpc.ts';
export type { Confirmed, ConfirmedOptions } from './rpc/confirmed-options.ts';
export type { PassLife } from './rpc/pass-life.ts';
export type { OpenWitnessOptions, SaveWitnessOptions, WitnessLock } from './saved-witness/saved-witness.ts';
export type { RuleSetsOptions } from './session/rule-sets.ts';
export type { ClientSnapshot, OperationUnderWay } from './session/snapshot.ts';
export type {
  StandardWallet,
  StandardWalletAccount,
  StandardWalletOptions,
} from './wallet/standard-wallet.ts';
export type {
  KitTransactionWallet,
  KitWallet,
  PlainWallet,
  TransactionWallet,
  Wallet,
} from './wallet/wallet.ts';
