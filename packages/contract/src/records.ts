/** The records that reads return (SPEC.md section 2). */
import * as z from 'zod/mini';
import { clauseRecord } from './clause.ts';
import { addressField, hexField, idField, u64Field } from './fields.ts';
import { MAX_CLAUSES } from './limits.ts';

/** A rule set; passFunds in lamports above rent, maxPassAgeSeconds in seconds. */
export const ruleSetRecord = z.object({
  address: addressField,
  creator: addressField,
  nonce: u64Field,
  name: z.string(),
  clauses: z.array(clauseRecord).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  ruleHash: hexField,
  maxPassAgeSeconds: u64Field,
  passFunds: u64Field,
});
/**
 * A rule set as reads return it (SPEC.md section 2); passFunds in lamports above rent, maxPassAgeSeconds in seconds.
 *
 * @interface
 */
export type RuleSet = z.infer<typeof ruleSetRecord>;

/** The credential of a wallet; times in Unix seconds, verifier is the address of the Verifier account. */
export const credentialRecord = z.object({
  address: addressField,
  wallet: addressField,
  verifier: addressField,
  commitment: hexField,
  issuedAt: u64Field,
  expiresAt: u64Field,
  revoked: z.boolean(),
});
/**
 * The credential of a wallet (SPEC.md section 2): a commitment to its attributes, times in Unix seconds. `verifier` is the
 * address of the Verifier account.
 *
 * @interface
 */
export type Credential = z.infer<typeof credentialRecord>;

/** A pass, live while expiresAt is later than the chain time; times in Unix seconds. */
export const passRecord = z.object({
  address: addressField,
  rule: addressField,
  wallet: addressField,
  verifier: addressField,
  circuit: addressField,
  issuedAt: u64Field,
  expiresAt: u64Field,
});
/**
 * A pass (SPEC.md section 2), live while expiresAt is later than the chain time; times in Unix seconds.
 *
 * @interface
 */
export type Pass = z.infer<typeof passRecord>;

/** A mint binding. */
export const bindingRecord = z.object({
  address: addressField,
  mint: addressField,
  rule: addressField,
  issuer: addressField,
  requireSource: z.boolean(),
});
/**
 * A mint binding (SPEC.md section 2): the rule set that a mint asks, its issuer, and whether senders need a pass too.
 *
 * @interface
 */
export type Binding = z.infer<typeof bindingRecord>;

/** A verifier; authority is the key that signs its credentials. */
export const verifierRecord = z.object({
  address: addressField,
  authority: addressField,
  name: z.string(),
  active: z.boolean(),
});
/**
 * A verifier (SPEC.md section 2); authority is the key that signs its credentials.
 *
 * @interface
 */
export type Verifier = z.infer<typeof verifierRecord>;

/** A circuit; retiredAt in Unix seconds, null while it is not retired. */
export const circuitRecord = z.object({
  address: addressField,
  id: z.string(),
  artifactsDigest: hexField,
  retiredAt: z.nullable(u64Field),
});
/**
 * A circuit (SPEC.md section 2); retiredAt in Unix seconds, null while it is not retired.
 *
 * @interface
 */
export type Circuit = z.infer<typeof circuitRecord>;

/** The position of the index: a finalized slot and its time in Unix seconds. */
export const indexRecord = z.object({ slot: u64Field, time: u64Field });
/**
 * How far the service has read the chain: a finalized slot and its time in Unix seconds.
 *
 * @interface
 */
export type Index = z.infer<typeof indexRecord>;

const artifactFile = z.looseObject({ name: z.string(), size: z.int(), sha256: hexField });

/** The proof artifact manifest; its SHA-256 in canonical JSON is the digest that callers pin. */
export const manifestRecord = z.looseObject({
  circuit: z.string(),
  protocol: z.literal('groth16'),
  curve: z.literal('bn128'),
  publicSignals: z.array(z.string()),
  compiler: z.looseObject({ name: z.string(), version: z.string() }),
  constraints: z.int(),
  setup: z.looseObject({ kind: z.string() }),
  files: z.looseObject({ wasm: artifactFile, zkey: artifactFile, vkey: artifactFile, key: artifactFile }),
});
/**
 * The proof artifact manifest; its SHA-256 in canonical JSON is the digest that callers pin.
 *
 * @interface
 */
export type ArtifactManifest = z.infer<typeof manifestRecord>;

/** The attributes behind a commitment, which the verifier hands to the person alone. Never sent to the service. */
export const witnessRecord = z.object({
  wallet: addressField,
  region: z.string(),
  status: z.string(),
  birthDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 1990-05-17')),
  salt: z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/, 'must be a decimal string')),
});
/**
 * The attributes behind a commitment, which the verifier hands to the person alone. Never sent to the service. birthDate
 * is `YYYY-MM-DD`, salt a decimal string, region and status are codes.
 *
 * @interface
 */
export type Witness = z.infer<typeof witnessRecord>;

/**
 * How far a wallet is with the external verifier. STARTED: the person is there, until expiresAt (Unix seconds). ISSUING:
 * verified, and the credential goes on chain. ISSUED: it is final. FAILED: it never will be; `failure` says why.
 */
export const verificationRecord = z.object({
  sessionId: idField,
  state: z.enum(['STARTED', 'ISSUING', 'ISSUED', 'FAILED']),
  expiresAt: u64Field,
  failure: z.optional(z.string()),
});
/**
 * The latest verification session of a wallet (SPEC.md section 2). STARTED: the person is at the verifier, until expiresAt
 * (Unix seconds). ISSUING: verified, and the credential goes on chain. ISSUED: it is final. FAILED: it never will be, and
 * `failure` says why.
 *
 * @interface
 */
export type Verification = z.infer<typeof verificationRecord>;
