/** The names of the contract's schemas in the document. */
import * as contract from '@service/contract';
import type * as z from 'zod/mini';
import type { JsonSchema } from './types.ts';

/** A schema of the contract that has a name in the document. */
export interface NamedSchema {
  readonly schema: z.ZodMiniType;
  /** Constants of the contract, or paths in them. The first one with a docstring describes the schema or field. */
  readonly docs: readonly string[];
  /** JSON Schema keywords for checks that the schema makes in code. */
  readonly keywords: JsonSchema;
}

function named(
  schema: z.ZodMiniType,
  docs: string | readonly string[],
  keywords: JsonSchema = {},
): NamedSchema {
  return { schema, docs: typeof docs === 'string' ? [docs] : docs, keywords };
}

/** The request of a preparing endpoint. */
const preparing = (schema: z.ZodMiniType, docs: string) => named(schema, [docs, 'preparingFields']);

const { REGIONS, STATUSES } = contract;
const { configResponse, failingResponse, failureRecord, manifestRecord, networkResponse } = contract;

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** The field types of the wire (SPEC.md section 2). */
export const VALUES = {
  Address: named(contract.addressField, 'addressField', {
    type: 'string',
    pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  }),
  U64: named(contract.u64Field, 'u64Field'),
  Amount: named(contract.issueRequest.shape.amount, 'amountField', { not: { const: '0' } }),
  Hex32: named(contract.hexField, 'hexField'),
  Base64: named(contract.base64Field, 'base64Field', { contentEncoding: 'base64' }),
  Signature: named(contract.signatureField, 'signatureField'),
  EventId: named(contract.eventIdField, 'eventIdField'),
  Id: named(contract.idField, 'idField', { format: 'uuid' }),
  // JSON Schema counts characters. The schema counts bytes, which are never fewer.
  Name: named(contract.nameField, 'nameField', { maxLength: 32 }),
  RegionCode: named(contract.regionCodeField, 'regionCodeField', { enum: REGIONS.map(({ code }) => code) }),
  StatusCode: named(contract.statusCodeField, 'statusCodeField', { enum: STATUSES.map(({ code }) => code) }),
};

const OPERATIONS = Object.fromEntries(
  contract.operationRecord.def.options.map((option) => {
    const state = option.shape.state.def.values[0]!;
    const constant = state.toLowerCase();
    return [`Operation${state[0]}${constant.slice(1)}`, named(option, [constant, 'signed', 'common'])];
  }),
);

const EVENTS = Object.fromEntries(
  contract.eventRecord.def.options.map((option) => {
    const [subject, verb] = option.shape.type.def.values[0]!.split('.').map(capitalized);
    const constant = `${subject!.toLowerCase()}${verb}Event`;
    return [`${subject}${verb}Event`, named(option, [constant, 'commonEvent'])];
  }),
);

const [ready, waiting] = contract.readyResponse.def.options;

/** Records of responses (SPEC.md sections 2 and 4). They may get more fields. */
export const ANSWERS = {
  Clause: named(contract.clauseRecord, ['clauseRecord', 'clauseShape']),
  RuleSet: named(contract.ruleSetRecord, 'ruleSetRecord'),
  PassportRuleSet: named(contract.passportResponse.shape.ruleSets.def.element, [
    'passportResponse.ruleSets',
    'ruleSetRecord',
  ]),
  Credential: named(contract.credentialRecord, 'credentialRecord'),
  Pass: named(contract.passRecord, 'passRecord'),
  Binding: named(contract.bindingRecord, 'bindingRecord'),
  Verifier: named(contract.verifierRecord, 'verifierRecord'),
  Circuit: named(contract.circuitRecord, 'circuitRecord'),
  Index: named(contract.indexRecord, 'indexRecord'),
  Manifest: named(manifestRecord, 'manifestRecord'),
  ManifestCompiler: named(manifestRecord.shape.compiler, 'manifestRecord.compiler'),
  ManifestSetup: named(manifestRecord.shape.setup, 'manifestRecord.setup'),
  ManifestFiles: named(manifestRecord.shape.files, 'manifestRecord.files'),
  ManifestFile: named(manifestRecord.shape.files.shape.wasm, 'artifactFile'),
  Operation: named(contract.operationRecord, 'operationRecord', { discriminator: { propertyName: 'state' } }),
  ...OPERATIONS,
  Failure: named(failureRecord, 'failureRecord'),
  ProgramError: named(failureRecord.shape.programError.def.innerType, 'failureRecord.programError'),
  Config: named(configResponse, 'configResponse'),
  ConfigArtifacts: named(configResponse.shape.artifacts, 'configResponse.artifacts'),
  NameEntry: named(configResponse.shape.regions.def.element, 'nameTable'),
  Network: named(networkResponse, 'networkResponse'),
  Governance: named(networkResponse.shape.governance.def.innerType, 'networkResponse.governance'),
  PassFeeRaise: named(networkResponse.shape.nextPassFee.def.innerType.def.innerType, 'passFeeRaise'),
  Rules: named(contract.rulesResponse, 'rulesResponse'),
  Live: named(contract.liveResponse, 'liveResponse'),
  Readiness: named(contract.readyResponse, 'readyResponse', { discriminator: { propertyName: 'status' } }),
  Ready: named(ready, 'ready'),
  Waiting: named(waiting, 'waiting'),
  Failing: named(failingResponse, 'failingResponse'),
  FailingChecks: named(failingResponse.shape.checks, 'failingResponse.checks'),
  FailingError: named(failingResponse.shape.error, 'failingResponse.error'),
  Challenge: named(contract.challengeResponse, 'challengeResponse'),
  SignedIn: named(contract.verifyResponse, 'verifyResponse'),
  Session: named(contract.sessionResponse, 'sessionResponse'),
  Passport: named(contract.passportResponse, 'passportResponse'),
  Verification: named(contract.verificationRecord, 'verificationRecord'),
  VerificationSession: named(contract.verificationSessionResponse, 'verificationSessionResponse'),
  ProofContext: named(contract.proofContextResponse, 'proofContextResponse'),
  WebhookReceived: named(contract.webhookResponse, 'webhookResponse'),
  Event: named(contract.eventRecord, 'eventRecord', { discriminator: { propertyName: 'type' } }),
  ...EVENTS,
  OperationFinalizedEventData: named(contract.operationFinalizedEvent.shape.data, [
    'operationFinalizedEvent.data',
    'finalOperation',
  ]),
  OperationFailedEventData: named(contract.operationFailedEvent.shape.data, [
    'operationFailedEvent.data',
    'finalOperation',
  ]),
  PassExpiringEventData: named(contract.passExpiringEvent.shape.data, ['passOfEvent', 'passRecord']),
  PassClosedEventData: named(contract.passClosedEvent.shape.data, ['passClosedEvent.data', 'passRecord']),
  ErrorDetail: named(contract.errorBody.shape.error, 'errorBody.error'),
};

/** Bodies of requests (SPEC.md section 4). They are strict. */
export const REQUESTS = {
  ChallengeRequest: named(contract.challengeRequest, 'challengeRequest'),
  VerifyRequest: named(contract.verifyRequest, 'verifyRequest'),
  EmptyRequest: named(contract.emptyRequest, 'emptyRequest'),
  VerificationSessionRequest: named(contract.verificationSessionRequest, 'verificationSessionRequest'),
  ProofContextRequest: named(contract.proofContextRequest, 'proofContextRequest'),
  RegionCodes: named(contract.clauseRequest.shape.regions, 'clauseShape.regions', { uniqueItems: true }),
  StatusCodes: named(contract.clauseRequest.shape.statuses, 'clauseShape.statuses', { uniqueItems: true }),
  ClauseRequest: named(contract.clauseRequest, ['clauseRequest', 'clauseShape']),
  CreateRuleSetRequest: preparing(contract.createRuleSetRequest, 'createRuleSetRequest'),
  BindMintRequest: preparing(contract.bindMintRequest, 'bindMintRequest'),
  ProveRequest: preparing(contract.proveRequest, 'proveRequest'),
  IssueRequest: preparing(contract.issueRequest, 'issueRequest'),
  TransferRequest: preparing(contract.transferRequest, 'transferRequest'),
  AdoptRequest: named(contract.adoptRequest, 'adoptRequest'),
  SubmitRequest: named(contract.submitRequest, 'submitRequest'),
  WebhookRequest: named(contract.webhookRequest, 'webhookRequest', {
    discriminator: { propertyName: 'type' },
  }),
  VerificationCompleted: named(contract.verificationCompleted, 'verificationCompleted'),
  VerificationCompletedData: named(contract.verificationCompleted.shape.data, [
    'verificationCompleted.data',
    'ofSession',
  ]),
  VerificationFailed: named(contract.verificationFailed, 'verificationFailed'),
  VerificationFailedData: named(contract.verificationFailed.shape.data, [
    'verificationFailed.data',
    'ofSession',
  ]),
  CredentialRevoked: named(contract.credentialRevoked, 'credentialRevoked'),
  CredentialRevokedData: named(contract.credentialRevoked.shape.data, [
    'credentialRevoked.data',
    'ofSession',
  ]),
};
