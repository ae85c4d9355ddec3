export { EligibilityError, type EligibilityErrorCode } from './errors.ts';
export { bytesToField, FIELD_ORDER, fieldToBytes } from './field.ts';
export {
  type ArtifactFile,
  type ArtifactFiles,
  type ArtifactManifest,
  canonicalJson,
  manifestDigest,
  type SetupBeacon,
  type SetupProvenance,
} from './manifest.ts';
export { packVerifyingKey, type SnarkjsVerifyingKey, VERIFYING_KEY_BYTES } from './verifying-key.ts';
