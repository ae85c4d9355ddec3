export { type CircuitInput, type CircuitInputFacts, circuitInput } from './circuit-input.ts';
export {
  CLAUSE_SLOTS,
  type ClauseEvaluation,
  type ClauseMasks,
  type ClauseRequirement,
  checkClause,
  checkClauses,
  evaluateClause,
  matchingClause,
  REGION_PLACES,
  STATUS_PLACES,
} from './clause.ts';
export {
  asOfDateCode,
  type CalendarDate,
  dateCode,
  dateCodeAt,
  dateOfCode,
  parseBirthDate,
} from './date-code.ts';
export { EligibilityError, type EligibilityErrorCode } from './errors.ts';
export { bytesToField, FIELD_ORDER, fieldToBytes } from './field.ts';
export {
  type ContextFacts,
  clauseHash,
  clauseHashes,
  commitmentOf,
  contextHash,
  EMPTY_CLAUSE_HASH,
  type PassFacts,
  passHash,
  ruleHash,
} from './hashes.ts';
export {
  type ArtifactFile,
  type ArtifactFiles,
  type ArtifactManifest,
  canonicalJson,
  manifestDigest,
  type SetupBeacon,
  type SetupProvenance,
} from './manifest.ts';
export { parseManifest } from './parse-manifest.ts';
export { COORDINATE_ORDER } from './points.ts';
export { decodeProof, encodeProof, type SnarkjsProof } from './proof-bytes.ts';
export {
  packVerifyingKey,
  type SnarkjsVerifyingKey,
  unpackVerifyingKey,
  VERIFYING_KEY_BYTES,
} from './verifying-key.ts';
export { checkAttributes, type WitnessAttributes } from './witness.ts';
