/** The wire of the service: error codes, limits, routes, and the schemas of requests, responses and records. */
export { addressBytes } from './address.ts';
export {
  clauseRecord,
  clauseRequest,
  regionCodeField,
  statusCodeField,
} from './clause.ts';
export {
  type Clause,
  clauseFromMasks,
  clauseMasks,
  isRegionCode,
  isStatusCode,
  regionIndexOf,
  statusIndexOf,
} from './clause-masks.ts';
export { CREATOR_POWERS, type CreatorPower, powerBits } from './creator-powers.ts';
export {
  deploymentRecord,
  genesisHashField,
  MAINNET_GENESIS_HASH,
  originField,
  rpcUrlField,
} from './deployment.ts';
export { ERROR_CODES, type ErrorCode, isErrorCode } from './errors.ts';
export {
  credentialIssuedEvent,
  credentialRevokedEvent,
  EVENT_TYPES,
  type EventType,
  eventRecord,
  issuerChangedEvent,
  issuerNominatedEvent,
  operationFailedEvent,
  operationFinalizedEvent,
  passClosedEvent,
  passExpiringEvent,
  passGrantedEvent,
  passSuspendedEvent,
  placeTakenEvent,
  ruleAnnouncedEvent,
  ruleChangedEvent,
  type ServiceEvent,
} from './events/event-record.ts';
export {
  addressField,
  base64Field,
  eventIdField,
  hexField,
  idField,
  nameField,
  signatureField,
  u64Field,
  u64TextField,
} from './fields.ts';
export type { ProgramErrorName } from './generated/program-error-name.ts';
export { describeIssue } from './issues.ts';
export {
  CHALLENGE_LIFETIME_SECONDS,
  DRAFT_LIFETIME_SECONDS,
  EVENT_LIFETIME_SECONDS,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  MAX_BODY_BYTES,
  MAX_PASSPORT_RECORDS,
  PASS_AGE_SECONDS,
  PASS_NOTICE_SECONDS,
  REQUEST_ID_HEADER,
  REVIEW_SECONDS,
  RULES_PAGE,
  SESSION_LIFETIME_SECONDS,
  VERIFICATION_SESSION_LIFETIME_SECONDS,
  WEBHOOK_TOLERANCE_SECONDS,
} from './limits.ts';
export {
  isFinal,
  OPERATION_KINDS,
  OPERATION_STATES,
  OPERATION_TRANSITIONS,
  type OperationKind,
  type OperationState,
  PENDING_STATES,
} from './operation.ts';
export {
  failureRecord,
  type Operation,
  type OperationFailure,
  type OperationIn,
  operationRecord,
} from './operation-record.ts';
export {
  type ArtifactManifest,
  artifactFile,
  bindingRecord,
  type Circuit,
  type Credential,
  circuitRecord,
  credentialRecord,
  type Gate,
  gateRecord,
  type IndexPosition,
  indexRecord,
  type MintBinding,
  manifestRecord,
  type Pass,
  passRecord,
  type RuleSet,
  ruleSetRecord,
  type Verification,
  type Verifier,
  verificationRecord,
  verifierRecord,
} from './records.ts';
export { REGION_GROUPS, REGIONS, type RegionCode, type RegionName } from './regions.ts';
export { REMOVAL_REASONS, type RemovalReason } from './removal-reasons.ts';
export {
  type AdoptRequest,
  adoptRequest,
  amountField,
  type BindMintRequest,
  bindMintRequest,
  type ChallengeRequest,
  type CreateRuleSetRequest,
  challengeRequest,
  createRuleSetRequest,
  emptyRequest,
  type GrantRequest,
  grantRequest,
  type IssueRequest,
  issueRequest,
  mintBindingQuery,
  type PreparingRequests,
  type ProveRequest,
  proofContextRequest,
  proveRequest,
  type RecoverRequest,
  type RedeemRequest,
  recoverRequest,
  redeemRequest,
  rulesQuery,
  type SubmitRequest,
  type SuspendRequest,
  submitRequest,
  suspendRequest,
  type TransferRequest,
  transferRequest,
  type VerificationSessionRequest,
  type VerifyRequest,
  verificationSessionRequest,
  verifyRequest,
} from './requests.ts';
export {
  type Challenge,
  challengeResponse,
  configResponse,
  type ErrorBody,
  errorBody,
  type MintBindingAnswer,
  mintBindingResponse,
  type NetworkConfiguration,
  nameEntry,
  networkResponse,
  type Passport,
  type ProofContext,
  passFeeRaise,
  passportResponse,
  proofContextResponse,
  type Rules,
  rulesResponse,
  type ServiceConfig,
  type Session,
  type SignedIn,
  sessionResponse,
  type VerificationSession,
  verificationSessionResponse,
  verifyResponse,
} from './responses.ts';
export { type Access, CLIENT_ROUTES, type ClientRouteName, type Route } from './routes/client-routes.ts';
export { failingResponse, liveResponse, readyResponse } from './routes/health.ts';
export { PREPARING_ROUTES } from './routes/preparing-routes.ts';
export {
  errorCodesOf,
  FILE_ROUTES,
  type FileRoute,
  type FileRouteName,
  ROUTES,
  type RouteName,
  UNMATCHED_ERRORS,
} from './routes/routes.ts';
export {
  credentialRevoked,
  verificationCompleted,
  verificationFailed,
  verificationPending,
  type WebhookRequest,
  webhookRequest,
  webhookResponse,
} from './routes/webhook.ts';
export { STATUSES, type StatusCode, type StatusName } from './statuses.ts';
export {
  REVOCATION_TRANSITIONS,
  type RevocationState,
  VERIFICATION_STATES,
  VERIFICATION_TRANSITIONS,
  type VerificationState,
} from './verification.ts';
export { type Witness, witnessRecord } from './witness.ts';
