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
  LIMITED_CLAUSE_SLOTS,
  matchingClause,
} from './clause.ts';
export { type ContextFacts, contextHash, type PlaceHashes } from './context-hash.ts';
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
  type PlaceFacts,
  passHash,
  ruleHash,
  scopeOf,
  type TagFacts,
  tagOf,
} from './hashes.ts';
export {
  type ArtifactFile,
  type ArtifactFiles,
  type ArtifactManifest,
  type CeremonySetup,
  canonicalJson,
  type DevelopmentSetup,
  manifestDigest,
  type OperatorSetup,
  type SetupBeacon,
  type SetupContribution,
  type SetupProvenance,
} from './manifest.ts';
export { parseManifest } from './parse-manifest.ts';
export { COORDINATE_ORDER } from './proof/points.ts';
export { decodeProof, encodeProof, type SnarkjsProof } from './proof/proof-bytes.ts';
export { joinProof, type Place, type ProofWithPlace, splitProof } from './proof/proof-with-place.ts';
export {
  packVerifyingKey,
  type SnarkjsVerifyingKey,
  unpackVerifyingKey,
} from './proof/verifying-key.ts';
export { setupFault } from './setup-fault.ts';
export { checkAttributes, type PersonalAttributes, type WitnessAttributes } from './witness.ts';
