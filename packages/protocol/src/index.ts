/** The chain of the service: addresses, account state, plans of operations, sign-in and credential messages. No Poseidon here. */

export { type AdditionLimits, type Adoption, adoptable } from './additions/adoptable.ts';
export {
  budgetInstructions,
  COMPUTE_BUDGET_PROGRAM,
  type ComputeBudget,
  MAX_COMPUTE_UNITS,
  priorityFeeLamports,
  readBudgetData,
} from './additions/compute-budget.ts';
export { COMPUTE_UNIT_LIMITS } from './additions/compute-unit-limits.ts';
export { LIGHTHOUSE_PROGRAM } from './additions/guard.ts';
export {
  type MessageInstruction,
  type OperationInstructions,
  readOperationInstructions,
} from './additions/operation-instructions.ts';
export {
  CLOCK_SYSVAR,
  ED25519_PROGRAM,
  findProgramDataAddress,
  INSTRUCTIONS_SYSVAR,
  MEMO_PROGRAM,
  MOST_BUMP_MISSES,
  PROGRAM_DATA_HEADER_BYTES,
  type ProgramAddresses,
  programAddresses,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  UPGRADEABLE_LOADER,
  upgradeAuthorityOf,
} from './addresses.ts';
export { type ChallengeFields, formatChallenge, parseChallenge } from './challenge.ts';
export {
  ed25519Instruction,
  issueCredentialInstructions,
  MAX_PASSES_PER_REVOCATION,
  revokeCredentialInstructions,
} from './credential/instructions.ts';
export {
  type CredentialStatement,
  credentialMessage,
  genesisHashBytes,
  type RevocationStatement,
  revocationMessage,
} from './credential/message.ts';
export { voidUntil } from './credential/void-until.ts';
export {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  MAX_CIRCUIT_GRACE_SECONDS,
  MAX_CREDENTIAL_AGE_SECONDS,
  MAX_CREDENTIAL_DELAY_SECONDS,
  MAX_PASS_AGE_LIMIT_SECONDS,
  MAX_PASS_FEE,
  MIN_PASS_AGE_SECONDS,
  MIN_PROOF_INTERVAL_SECONDS,
  PASS_FEE_RAISE_DELAY_SECONDS,
  RULE_CHANGE_DELAY_SECONDS,
} from './generated/constants';
export { CREDENTIAL_OFFSETS, PASS_OFFSETS } from './generated/offsets';
export {
  BIND_MINT_ACCOUNTS,
  CREATE_RULE_SET_ACCOUNTS,
  END_GRANT_ACCOUNTS,
  GRANT_PASS_ACCOUNTS,
  ISSUE_TOKENS_ACCOUNTS,
  PROVE_ACCOUNTS,
  RECOVER_ACCOUNTS,
  REDEEM_ACCOUNTS,
  SUSPEND_PASS_ACCOUNTS,
} from './generated/operation-accounts';
export { RULE_SET_PASS_PROGRAM_ADDRESS as DEVELOPMENT_PROGRAM } from './generated/programs/ruleSetPass';
export { hexOf } from './hex.ts';
export { isOperationId, MEMO_PREFIX, memoText } from './memo.ts';
export { addressesByName } from './plans/account-roles.ts';
export { checkPlace, placeTakeableAt } from './plans/check-place.ts';
export { checkPower } from './plans/check-power.ts';
export { checkRemoval, type RemovalAccounts } from './plans/check-removal.ts';
export {
  canPay,
  type Funds,
  type FundsQuery,
  fundsMessage,
  fundsQuery,
  neededLamports,
  readFunds,
  SIGNATURE_FEE_LAMPORTS,
} from './plans/funds.ts';
export {
  bindMintInstruction,
  createRuleSetInstruction,
  grantInstruction,
  type IssueFacts,
  issueInstruction,
  type ProveFacts,
  proveInstruction,
  recoverInstruction,
  redeemInstruction,
  suspendInstruction,
  TRANSFER_CHECKED_ACCOUNTS,
  type TransferFacts,
  transferInstruction,
} from './plans/instruction.ts';
export {
  type BindMintIntent,
  type CreateRuleSetIntent,
  type GrantIntent,
  type Intent,
  type IssueIntent,
  type PostedIntent,
  type PostedProveIntent,
  type ProveIntent,
  postedIntent,
  type RecoverIntent,
  type RedeemIntent,
  type SuspendIntent,
  type TransferIntent,
} from './plans/intent.ts';
export {
  MAX_TRANSACTION_BYTES,
  operationMessage,
  splitWireTransaction,
  wireTransaction,
} from './plans/message.ts';
export {
  PlanError,
  type PlanOptions,
  type PlanProblem,
  planInstruction,
  transferFacts,
} from './plans/plan-instruction.ts';
export {
  decodeTransactionError,
  type FailedTransaction,
  type ProgramError,
  type ProgramErrorName,
  programErrorMessage,
  programErrorName,
  type TransactionFailure,
} from './program-error.ts';
export { circuitDifference, type PinnedArtifacts } from './state/circuit-difference.ts';
export {
  governanceOf,
  isEnded,
  isSuspended,
  nextPassFeeAt,
  passFeeAt,
  secondsLeftOf,
} from './state/governance.ts';
export {
  isProved,
  isSupported,
  NEVER,
  passClosableAt,
  passRenewableAt,
  proofFeeAt,
  type Renewal,
} from './state/pass-times.ts';
export {
  ACCOUNT_TYPES,
  type AccountKind,
  type AccountOf,
  type ChainReader,
  decodeAccount,
  type Found,
  type ProgramAccountKind,
  programAccountKind,
  readAccount,
  readAccounts,
} from './state/read.ts';
export {
  aboveRent,
  bindingRecordOf,
  circuitRecordOf,
  clauseMasksOf,
  credentialRecordOf,
  passFundsOf,
  passRecordOf,
  ruleSetRecordOf,
  verifierRecordOf,
} from './state/records.ts';
export { type Rent, rentOf } from './state/rent.ts';
export {
  type BindableMint,
  bindableMintBytes,
  createBindableMintInstructions,
  createTokenAccountInstruction,
  type MintTemplate,
  tokenAccountAddress,
} from './token/bindable-mint.ts';
export { MOST_NAME_BYTES, type TokenName, tokenNameOf } from './token/metadata.ts';
export {
  type BindingObstacle,
  type BindingOptions,
  bindingObstacles,
  burnAuthorityOf,
  decodeMint,
  isMintPaused,
  type Mint,
  optionalAddress,
  pauseAuthorityOf,
  permanentDelegateOf,
  transferHookOf,
} from './token/mint.ts';
export { MINT_EXTENSIONS } from './token/mint-extensions.ts';
export { decodeTokenAccount, type TokenAccount } from './token/token-account.ts';
export {
  decodeGate,
  decodeGateableMint,
  decodeGateList,
  GATE_HONOURS_GRANTED_OFFSET,
  GATE_LIST_TYPES,
  type Gate,
  type GateableMint,
  type GateListKind,
  gateListAddresses,
} from './token-acl/gate.ts';
export {
  createMintConfigInstruction,
  deleteMintConfigInstruction,
  freezeByAuthorityInstruction,
  freezeWithoutPassInstruction,
  type GatedAccount,
  setGateAuthorityInstruction,
  setGateInstruction,
  setGatingProgramInstruction,
  thawByPassInstruction,
  togglePermissionlessInstruction,
} from './token-acl/instructions.ts';
export {
  decodeMintConfig,
  flagAddress,
  type MintConfig,
  mintConfigAddress,
  TOKEN_ACL_PROGRAM,
} from './token-acl/mint-config.ts';
