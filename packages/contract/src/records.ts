/** The records that reads return (SPEC.md section 2). */
import * as z from 'zod/mini';
import { clauseRecord } from './clause.ts';
import { CREATOR_POWERS } from './creator-powers.ts';
import { addressField, hexField, idField, setupKindField, u64Field } from './fields.ts';
import { MAX_CLAUSES } from './limits.ts';
import { VERIFICATION_STATES } from './verification.ts';

/** A rule set. passFunds is in lamports, without rent and uncollected pass fees, maxPassAgeSeconds in seconds. */
export const ruleSetRecord = z.object({
  /** Base58 address of the RuleSet account. Requests call it `rule`. */
  address: addressField,
  /** Base58 address of the wallet that created it. Only this wallet can withdraw its pass funds. */
  creator: addressField,
  /** A u64 that the creator chose. The address is derived from the creator and the nonce. */
  nonce: u64Field,
  /** 1 to 32 bytes of UTF-8. */
  name: z.string(),
  /** 1 to 8 clauses. A person who meets one of them meets the rule set. */
  clauses: z.array(clauseRecord).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  /** SHA-256 over the hashes of the clauses: 64 lowercase hex digits. Proofs are bound to it. */
  ruleHash: hexField,
  /** Longest lifetime of a pass, in seconds. */
  maxPassAgeSeconds: u64Field,
  /** The balance that pays pass fees, in lamports: without rent and uncollected pass fees. */
  passFunds: u64Field,
  /** The highest pass fee in lamports that it pays. Its creator can change it. Absent from an older service. */
  maxPassFee: z.optional(u64Field),
  /**
   * What its creator may do with passes: `suspend` them, `grant` them without a proof. It never changes. Absent from an
   * older service.
   */
  powers: z.optional(z.array(z.enum(CREATOR_POWERS))),
  /**
   * Base58 address of the only Verifier account whose credentials prove it; null if any active verifier will do. It never
   * changes. Absent from an older service.
   */
  verifier: z.optional(z.nullable(addressField)),
  /**
   * How many wallets of one person can prove it, as its verifier knows persons; 0 if any number can. It never changes. Absent
   * from an older service.
   */
  walletsPerPerson: z.optional(z.int()),
});
/**
 * A rule set as reads return it (SPEC.md section 2). passFunds is in lamports, without rent and uncollected fees,
 * maxPassAgeSeconds in seconds.
 *
 * @interface
 */
export type RuleSet = z.infer<typeof ruleSetRecord>;

/** The credential of a wallet. Times are in Unix seconds; `verifier` is the address of the Verifier account. */
export const credentialRecord = z.object({
  /** Base58 address of the Credential account. */
  address: addressField,
  /** Base58 address of the wallet that holds it. */
  wallet: addressField,
  /** Base58 address of the Verifier account whose authority signed it. */
  verifier: addressField,
  /** Poseidon commitment to the attributes, a salt and a person: 64 lowercase hex digits, big-endian. */
  commitment: hexField,
  /** Unix seconds, set by the verifier. After a revocation, the time of the revocation. */
  issuedAt: u64Field,
  /** Unix seconds. From this time on, it cannot be used to prove. */
  expiresAt: u64Field,
  /** Whether the verifier has revoked it. */
  revoked: z.boolean(),
});
/**
 * The credential of a wallet (SPEC.md section 2): a commitment to the person's attributes. Times are in Unix seconds.
 * `verifier` is the address of the Verifier account.
 *
 * @interface
 */
export type Credential = z.infer<typeof credentialRecord>;

/** A pass. It is live while expiresAt is later than the chain time, unless it was ended or suspended. Times are in Unix seconds. */
export const passRecord = z.object({
  /** Base58 address of the Pass account. */
  address: addressField,
  /** Base58 address of the rule set. */
  rule: addressField,
  /** Base58 address of the wallet that holds it. */
  wallet: addressField,
  /** Base58 address of the Verifier account of the credential that was used. `11111111111111111111111111111111`: nothing was proved. */
  verifier: addressField,
  /** Base58 address of the Circuit account that verified the proof, or `11111111111111111111111111111111`. */
  circuit: addressField,
  /** Unix seconds of chain time at which the proof was verified, or the pass was granted. */
  issuedAt: u64Field,
  /** Unix seconds. The pass is live while this is later than chain time, unless it was ended or suspended. */
  expiresAt: u64Field,
  /** Whether governance ended the pass before its expiry. The wallet can renew it at once. Absent from an older service. */
  ended: z.optional(z.boolean()),
  /**
   * Unix seconds until which the creator of the rule set suspended it: meanwhile, it is not live, and cannot be renewed.
   * 0: not suspended. 18446744073709551615: until the creator lifts it. Absent from an older service.
   */
  suspendedUntil: z.optional(u64Field),
  /**
   * Whether the creator of the rule set granted it without a proof. Only mints whose binding has `honoursGranted` accept
   * it. Absent from an older service.
   */
  granted: z.optional(z.boolean()),
});
/**
 * A pass (SPEC.md section 2). It is live while expiresAt is later than the chain time, unless it was ended or suspended.
 * Times are in Unix seconds.
 *
 * @interface
 */
export type Pass = z.infer<typeof passRecord>;

/** A mint binding: the rule set that transfers of a mint require. */
export const bindingRecord = z.object({
  /** Base58 address of the MintBinding account. */
  address: addressField,
  /** Base58 address of the Token-2022 mint. */
  mint: addressField,
  /** Base58 address of the rule set that transfers of the mint require. */
  rule: addressField,
  /** Base58 address of the issuer: the wallet that bound the mint, until another one accepted the role. Only it can issue tokens. */
  issuer: addressField,
  /** Whether the sender of a transfer needs a live pass too. The recipient always needs one. */
  requireSource: z.boolean(),
  /** Whether granted passes count for this mint. It never changes. Absent from an older service. */
  honoursGranted: z.optional(z.boolean()),
  /**
   * Whether a proved pass counts for this mint only while the credential of its wallet supports it: not revoked, not
   * replaced. It never changes. Absent from an older service.
   */
  readsCredential: z.optional(z.boolean()),
  /** Base58 address of the wallet that becomes the issuer when it accepts; null if there is none. Absent from an older service. */
  nominee: z.optional(z.nullable(addressField)),
  /** Base58 address of the rule set that the issuer announced; null if there is none. Absent from an older service. */
  nextRule: z.optional(z.nullable(addressField)),
  /** Unix seconds from which anyone can apply nextRule; 0 if there is none. Absent from an older service. */
  nextRuleFrom: z.optional(u64Field),
  /**
   * Whether the issuer created the rule set. Anybody can bind a mint to a rule set, and an issuer can hand over its role: if
   * this is false, ask the creator whether the mint is genuine. Absent from an older service.
   */
  issuerIsCreator: z.optional(z.boolean()),
});
/**
 * A mint binding (SPEC.md section 2): the rule set that transfers of a mint require, its issuer, and whether senders need a
 * pass too.
 *
 * @interface
 */
export type MintBinding = z.infer<typeof bindingRecord>;

/** The gate of a mint of Token ACL: the rule set whose passes thaw token accounts. Weaker than a binding. */
export const gateRecord = z.object({
  /** Base58 address of the Token-2022 mint. */
  mint: addressField,
  /** Base58 address of the rule set whose passes thaw token accounts of the mint. */
  rule: addressField,
  /** Whether granted passes count for this mint. */
  honoursGranted: z.boolean(),
});
/**
 * The gate of a mint of Token ACL (sRFC 37): the rule set whose passes thaw token accounts. It is weaker than a binding: a
 * holder whose pass ended can move tokens until somebody freezes the account.
 *
 * @interface
 */
export type Gate = z.infer<typeof gateRecord>;

/** A verifier. `authority` is the key that signs its credentials. */
export const verifierRecord = z.object({
  /** Base58 address of the Verifier account. */
  address: addressField,
  /** Base58 address of the key that signs its credentials. */
  authority: addressField,
  /** 1 to 32 bytes of UTF-8. */
  name: z.string(),
  /** Whether its credentials can be used to prove. */
  active: z.boolean(),
});
/**
 * A verifier (SPEC.md section 2). `authority` is the key that signs its credentials.
 *
 * @interface
 */
export type Verifier = z.infer<typeof verifierRecord>;

/** A circuit. retiredAt is in Unix seconds, or null while the circuit is not retired. */
export const circuitRecord = z.object({
  /** Base58 address of the Circuit account. */
  address: addressField,
  /** Name of at most 32 bytes. The address is derived from it. */
  id: z.string(),
  /** Digest of the artifact manifest: 64 lowercase hex digits. */
  artifactsDigest: hexField,
  /** Unix seconds from which its proofs are rejected; null while it is not retired. */
  retiredAt: z.nullable(u64Field),
});
/**
 * A circuit (SPEC.md section 2). retiredAt is in Unix seconds, or null while the circuit is not retired.
 *
 * @interface
 */
export type Circuit = z.infer<typeof circuitRecord>;

/** The position of the index: a finalized slot, and its time in Unix seconds. */
export const indexRecord = z.object({
  /** Number of the newest finalized slot that the index has read. */
  slot: u64Field,
  /** Unix seconds of that slot. */
  time: u64Field,
});
/**
 * How far the service has read the chain: a finalized slot, and its time in Unix seconds (SPEC.md section 2).
 *
 * @interface
 */
export type IndexPosition = z.infer<typeof indexRecord>;

/** One file of the proof artifacts. */
export const artifactFile = z.looseObject({
  /** File name, as in `/artifacts/{digest}/{name}`. */
  name: z.string(),
  /** Size in bytes. */
  size: z.int(),
  /** SHA-256 of the file: 64 lowercase hex digits. */
  sha256: hexField,
});

/** The proof artifact manifest. The digest that callers pin is the SHA-256 of its canonical JSON. */
export const manifestRecord = z.looseObject({
  /** Id of the circuit, as in its Circuit account. */
  circuit: z.string(),
  /** The proof system. */
  protocol: z.literal('groth16'),
  /** The curve: `bn128` is the name of BN254 in snarkjs. */
  curve: z.literal('bn128'),
  /** Names of the public signals, in order. */
  publicSignals: z.array(z.string()),
  /** The compiler of the circuit. */
  compiler: z.looseObject({
    /** Such as `circom`. */
    name: z.string(),
    /** Such as `2.2.3`. */
    version: z.string(),
  }),
  /** Number of constraints in the circuit. */
  constraints: z.int(),
  /** How the keys were made. */
  setup: z.looseObject({
    /**
     * `development`, `operator` or `ceremony`. Anyone can forge proofs under the keys of a development setup, and an operator may
     * be able to under keys of the kind `operator`.
     */
    kind: setupKindField,
  }),
  /** The artifact files. */
  files: z.looseObject({
    /** circom's witness calculator. */
    wasm: artifactFile,
    /** The proving key of snarkjs. */
    zkey: artifactFile,
    /** The verifying key, in the JSON of snarkjs. */
    vkey: artifactFile,
    /** The verifying key in the format of the program: 576 bytes. */
    key: artifactFile,
    /** The compact key: the proving key in the format of the SDK's own prover. Without it, snarkjs makes the proofs. */
    compactKey: z.optional(artifactFile),
  }),
});
/**
 * The proof artifact manifest. The digest that callers pin is the SHA-256 of its canonical JSON.
 *
 * @interface
 */
export type ArtifactManifest = z.infer<typeof manifestRecord>;

/**
 * The state of a verification session at the external verifier. STARTED: the verifier waits for the person, until expiresAt
 * (Unix seconds), or reviews the person, if `pendingSince` is set. ISSUING: the person is verified, and the service is putting the credential on chain. ISSUED: the
 * credential is final. FAILED: the session ended without a credential, and `failure` says why.
 */
export const verificationRecord = z.object({
  /** UUID of the session. */
  sessionId: idField,
  /** State of the session. */
  state: z.enum(VERIFICATION_STATES),
  /** Unix seconds at which the session expires. */
  expiresAt: u64Field,
  /** Unix seconds at which the review of the person began; absent without a review, and in every state but STARTED. */
  pendingSince: z.optional(u64Field),
  /** Why the session failed; absent in every other state. */
  failure: z.optional(z.string()),
});
/**
 * The latest verification session of a wallet (SPEC.md section 2). STARTED: the verifier waits for the person, until
 * expiresAt (Unix seconds), or reviews the person, if `pendingSince` is set. ISSUING: the person is verified, and the service is putting the credential on chain. ISSUED:
 * the credential is final. FAILED: the session ended without a credential, and `failure` says why.
 *
 * @interface
 */
export type Verification = z.infer<typeof verificationRecord>;
