export {
  type CircuitInput,
  type CircuitInputFacts,
  circuitInput,
  type PrivateInput,
  privateInput,
} from './circuit-input.ts';
export {
  type ClauseEvaluation,
  type ClauseMasks,
  type ClauseRequirement,
  checkClauses,
  evaluateClause,
  matchingClause,
} from './clause.ts';
export { type ContextFacts, contextHash } from './context-hash.ts';
export {
  type CalendarDate,
  dateCode,
  dateCodeAt,
  parseBirthDate,
} from './date-code.ts';
export { EligibilityError, type EligibilityErrorCode } from './errors.ts';
export { bytesToField, FIELD_ORDER, fieldToBytes } from './field.ts';
export {
  clauseHash,
  clauseHashes,
  commitmentOf,
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
export { COORDINATE_ORDER } from './proof/points.ts';
export { decodeProof, encodeProof, type SnarkjsProof } from './proof/proof-bytes.ts';
export {
  packVerifyingKey,
  type SnarkjsVerifyingKey,
  unpackVerifyingKey,
} from './proof/verifying-key.ts';
export { checkAttributes, type WitnessAttributes } from './witness.ts';
