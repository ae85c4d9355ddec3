/** The records that reads return (SPEC.md section 2). */
import * as z from 'zod/mini';
import { clauseRecord } from './clause.ts';
import { addressField, hexField, idField, u64Field } from './fields.ts';
import { MAX_CLAUSES } from './limits.ts';
import { VERIFICATION_STATES } from './verification.ts';

/** A rule set; passFunds in lamports above rent, maxPassAgeSeconds in seconds. */
export const ruleSetRecord = z.object({
  /** Base58 address of the RuleSet account; what requests call `rule`. */
  address: addressField,
  /** Base58 address of the wallet that made it, which withdraws its pass funds. */
  creator: addressField,
  /** A u64 that the creator chose; the address follows from creator and nonce. */
  nonce: u64Field,
  /** 1 to 32 bytes of UTF-8. */
  name: z.string(),
  /** 1 to 8; the rule set is met by who meets one of them. */
  clauses: z.array(clauseRecord).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  /** SHA-256 over the hashes of the clauses, which proofs are bound to: 64 lowercase hex digits. */
  ruleHash: hexField,
  /** Longest life of a pass, in seconds. */
  maxPassAgeSeconds: u64Field,
  /** What pass fees are paid from: lamports above rent. */
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
  /** Base58 address of the Credential account. */
  address: addressField,
  /** Base58 address of the wallet that it is of. */
  wallet: addressField,
  /** Base58 address of the Verifier account whose authority signed it. */
  verifier: addressField,
  /** Poseidon commitment to the attributes and a salt: 64 lowercase hex digits, big-endian. */
  commitment: hexField,
  /** Unix seconds, by the verifier; once revoked, the time of that. */
  issuedAt: u64Field,
  /** Unix seconds; from then on it proves nothing. */
  expiresAt: u64Field,
  /** Whether the verifier has taken it back. */
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
  /** Base58 address of the Pass account. */
  address: addressField,
  /** Base58 address of the rule set that was proved. */
  rule: addressField,
  /** Base58 address of the wallet that proved it. */
  wallet: addressField,
  /** Base58 address of the Verifier account of the credential that it was proved with. */
  verifier: addressField,
  /** Base58 address of the Circuit account that took the proof. */
  circuit: addressField,
  /** Unix seconds of chain time at which it was proved. */
  issuedAt: u64Field,
  /** Unix seconds; live while this is later than chain time. */
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
  /** Base58 address of the MintBinding account. */
  address: addressField,
  /** Base58 address of the Token-2022 mint. */
  mint: addressField,
  /** Base58 address of the rule set that its transfers ask. */
  rule: addressField,
  /** Base58 address of the wallet that bound it, the only one that can issue. */
  issuer: addressField,
  /** Whether the sender of a transfer needs a live pass too; the receiver always does. */
  requireSource: z.boolean(),
});
/**
 * A mint binding (SPEC.md section 2): the rule set that a mint asks, its issuer, and whether senders need a pass too.
 *
 * @interface
 */
export type MintBinding = z.infer<typeof bindingRecord>;

/** A verifier; authority is the key that signs its credentials. */
export const verifierRecord = z.object({
  /** Base58 address of the Verifier account. */
  address: addressField,
  /** Base58 address of the key that signs its credentials. */
  authority: addressField,
  /** 1 to 32 bytes of UTF-8. */
  name: z.string(),
  /** Whether its credentials can prove. */
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
  /** Base58 address of the Circuit account. */
  address: addressField,
  /** Name of at most 32 bytes; the address follows from it. */
  id: z.string(),
  /** Digest of the artifact manifest: 64 lowercase hex digits. */
  artifactsDigest: hexField,
  /** Unix seconds from which it takes no more proofs; null while it is not retired. */
  retiredAt: z.nullable(u64Field),
});
/**
 * A circuit (SPEC.md section 2); retiredAt in Unix seconds, null while it is not retired.
 *
 * @interface
 */
export type Circuit = z.infer<typeof circuitRecord>;

/** The position of the index: a finalized slot and its time in Unix seconds. */
export const indexRecord = z.object({
  /** Number of the newest finalized slot that was read. */
  slot: u64Field,
  /** Unix seconds of that slot. */
  time: u64Field,
});
/**
 * How far the service has read the chain: a finalized slot and its time in Unix seconds (SPEC.md section 2).
 *
 * @interface
 */
export type IndexPosition = z.infer<typeof indexRecord>;

/** A file of the proof artifacts. */
const artifactFile = z.looseObject({
  /** File name at `/artifacts/{digest}/{name}`. */
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  /** SHA-256 of the bytes: 64 lowercase hex digits. */
  sha256: hexField,
});

/** The proof artifact manifest; its SHA-256 in canonical JSON is the digest that callers pin. */
export const manifestRecord = z.looseObject({
  /** Id of the circuit, as its Circuit account has it. */
  circuit: z.string(),
  /** The proof system. */
  protocol: z.literal('groth16'),
  /** The curve, by the name that snarkjs has for BN254. */
  curve: z.literal('bn128'),
  /** Names of the public signals, in order. */
  publicSignals: z.array(z.string()),
  /** What compiled the circuit. */
  compiler: z.looseObject({
    /** As in `circom`. */
    name: z.string(),
    /** As in `2.2.3`. */
    version: z.string(),
  }),
  /** How many the circuit has. */
  constraints: z.int(),
  /** Where the keys come from. */
  setup: z.looseObject({
    /** `development`, whose keys anybody can forge under, or `ceremony`. */
    kind: z.string(),
  }),
  /** The four files. */
  files: z.looseObject({
    /** The witness calculator. */
    wasm: artifactFile,
    /** The proving key. */
    zkey: artifactFile,
    /** The verifying key in snarkjs's JSON. */
    vkey: artifactFile,
    /** The verifying key as the program holds it: 576 bytes. */
    key: artifactFile,
  }),
});
/**
 * The proof artifact manifest; its SHA-256 in canonical JSON is the digest that callers pin.
 *
 * @interface
 */
export type ArtifactManifest = z.infer<typeof manifestRecord>;

/** The attributes behind a commitment, which the verifier hands to the person alone. Never sent to the service. */
export const witnessRecord = z.object({
  /** Base58 address of the wallet that the credential is of. */
  wallet: addressField,
  /** A region code of REGIONS, ISO 3166-1 alpha-2. */
  region: z.string(),
  /** A status code of STATUSES. */
  status: z.string(),
  /** YYYY-MM-DD. */
  birthDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 1990-05-17')),
  /** Decimal string of a random number below the order of the BN254 scalar field; secret, as the rest is. */
  salt: z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/, 'must be a decimal string')),
});
/**
 * The attributes behind a commitment, which the verifier hands to the person alone. Never sent to the service.
 * birthDate is `YYYY-MM-DD`, salt a decimal string, region and status are codes (SPEC.md section 1).
 *
 * @interface
 */
export type Witness = z.infer<typeof witnessRecord>;

/**
 * How far a wallet is with the external verifier. STARTED: the person is there, until expiresAt (Unix seconds). ISSUING:
 * verified, and the credential goes on chain. ISSUED: it is final. FAILED: it never will be; `failure` says why.
 */
export const verificationRecord = z.object({
  /** UUID of the session. */
  sessionId: idField,
  /** How far it is. */
  state: z.enum(VERIFICATION_STATES),
  /** Unix seconds until which the person can be verified. */
  expiresAt: u64Field,
  /** Why it failed, in the service's words; absent otherwise. */
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
