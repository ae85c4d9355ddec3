/** Response bodies; they tolerate fields that are new (SPEC.md section 4). */
import * as z from 'zod/mini';
import { addressField, hexField, idField, u64Field } from './fields.ts';
import {
  bindingRecord,
  circuitRecord,
  credentialRecord,
  indexRecord,
  manifestRecord,
  passRecord,
  ruleSetRecord,
  verificationRecord,
  verifierRecord,
} from './records.ts';

/** What a region or status is called. */
const nameTable = z.array(
  z.object({
    /** Its bit in the masks of clauses, from 0. */
    index: z.int(),
    /** What requests and witnesses say. */
    code: z.string(),
    /** In English, for people. */
    name: z.string(),
  }),
);

/** `GET /api/config`. */
export const configResponse = z.object({
  /** Base58 address of the program. */
  program: addressField,
  /** The RPC that the service has clients use. */
  rpcUrl: z.url(),
  /** Base58 genesis hash of the cluster. */
  genesisHash: z.string(),
  /** The proof artifacts. */
  artifacts: z.object({
    /** Digest of the manifest: 64 lowercase hex digits. */
    digest: hexField,
    /** The files are at `{baseUrl}/{digest}/{name}`. */
    baseUrl: z.url(),
    /** What the digest is of. */
    manifest: manifestRecord,
  }),
  /** Every region that clauses can name. */
  regions: nameTable,
  /** Every status that clauses can name. */
  statuses: nameTable,
});
/** `GET /api/network`; fees in lamports, chainTime in Unix seconds. */
export const networkResponse = z.object({
  /** The governance configuration; null while it is not set up. */
  governance: z.nullable(
    z.object({
      /** Base58 address of the Config account. */
      address: addressField,
      /** Base58 address of the key that governs. */
      authority: addressField,
      /** Whether operations and transfers are refused. */
      paused: z.boolean(),
    }),
  ),
  /** All of them, inactive ones too. */
  verifiers: z.array(verifierRecord),
  /** The active circuit; null while there is none. */
  circuit: z.nullable(circuitRecord),
  /** Base58 address of the key that can change the program; null when nobody can. */
  upgradeAuthority: z.nullable(addressField),
  /** What a pass costs, in lamports; null while governance has not set it. */
  passFee: z.nullable(u64Field),
  /** What the protocol has taken and not withdrawn, in lamports. */
  passFeesHeld: u64Field,
  /** Unix seconds, by the clock of the cluster. */
  chainTime: u64Field,
});
/** `GET /api/rules`. */
export const rulesResponse = z.object({
  /** The rule sets of this page, in the order of their addresses. */
  ruleSets: z.array(ruleSetRecord),
  /** How far the service has read the chain. */
  index: indexRecord,
  /** `cursor` of the next page; null on the last one. */
  nextCursor: z.nullable(z.string()),
});
/** `GET /api/health/live`. */
export const liveResponse = z.object({
  /** The server runs. */
  status: z.literal('ok'),
});
/** All is set up and well. */
const ready = z.object({
  /** The service can do its work. */
  status: z.literal('ok'),
});
/** All is well, and something is not set up yet. */
const waiting = z.object({
  /** Governance has to do something first. */
  status: z.literal('waiting'),
  /** What is not set up: `program`, `governance`, `circuit`, `passFee`. */
  missing: z.array(z.string()),
});
/** `GET /api/health/ready` with HTTP 200. */
export const readyResponse = z.discriminatedUnion('status', [ready, waiting]);
/** `GET /api/health/ready` with HTTP 503. */
export const failingResponse = z.object({
  /** Something that the service needs fails. */
  status: z.literal('failing'),
  /** What was looked at: false where it fails, or could not be asked. */
  checks: z.object({
    /** The database answers. */
    database: z.boolean(),
    /** The chain answers. */
    chain: z.boolean(),
    /** The index is not stale. */
    index: z.boolean(),
    /** Signed operations are broadcast, and credentials put on chain. */
    jobs: z.boolean(),
  }),
  /** The same as every refusal has. */
  error: z.object({
    /** The code of this refusal. */
    code: z.literal('UNAVAILABLE'),
    /** What fails, for people. */
    message: z.string(),
    /** UUID of the request. */
    requestId: z.string(),
  }),
});
/** `POST /api/auth/challenge`; expiresAt in Unix seconds. */
export const challengeResponse = z.object({
  /** UUID. */
  challengeId: idField,
  /** The exact text to sign: it names site, wallet, program, cluster, a nonce and its expiry. */
  message: z.string(),
  /** Unix seconds at which it can be answered no more: 300 after issue. */
  expiresAt: u64Field,
});
/** `POST /api/auth/verify`; expiresAt of the session in Unix seconds. */
export const verifyResponse = z.object({
  /** Base58 address of the wallet. */
  wallet: addressField,
  /** Unix seconds at which the session ends. */
  expiresAt: u64Field,
});
/** `GET /api/auth/session` and `POST /api/auth/logout`. */
export const sessionResponse = z.object({
  /** Base58 address of the wallet that is signed in; null for nobody. */
  wallet: z.nullable(addressField),
});
/** `GET /api/passport`; no verification for a wallet that never started one. Its lists are bounded, with what comes first. */
export const passportResponse = z.object({
  /** Base58 address of the wallet that is signed in. */
  wallet: addressField,
  /** Its credential; null when it has none. */
  credential: z.nullable(credentialRecord),
  /** Its latest session at the external verifier; absent when it never started one. */
  verification: z.optional(verificationRecord),
  /** Its passes, expired ones too; those that end last come first. */
  passes: z.array(passRecord),
  /** Rule sets that it made, then those that it holds a pass of, then those that it issues under. */
  ruleSets: z.array(
    z.extend(ruleSetRecord, {
      /** How many passes of it are live. */
      livePasses: u64Field,
    }),
  ),
  /** Mint bindings that it issues under, then others of these rule sets; of either those of lower addresses first. */
  bindings: z.array(bindingRecord),
  /** How far the service has read the chain. */
  index: indexRecord,
});
/** `POST /api/verification-sessions`; expiresAt in Unix seconds. */
export const verificationSessionResponse = z.object({
  /** UUID. */
  sessionId: idField,
  /** The page of the verifier to send the person to. */
  url: z.url(),
  /** Unix seconds from which the page is gone. */
  expiresAt: u64Field,
});
/** `POST /api/proofs/context`; passFee in lamports, chainTime in Unix seconds. */
export const proofContextResponse = z.object({
  /** Of the wallet that is signed in. */
  credential: credentialRecord,
  /** The rule set that was asked for. */
  ruleSet: ruleSetRecord,
  /** The verifier of the credential. */
  verifier: verifierRecord,
  /** The active circuit. */
  circuit: circuitRecord,
  /** What a pass costs, in lamports; null while governance has not set it. */
  passFee: z.nullable(u64Field),
  /** Unix seconds, by the clock of the cluster. */
  chainTime: u64Field,
});
/** `POST /api/verifier/webhook`. */
export const webhookResponse = z.object({
  /** The message is stored. */
  received: z.literal(true),
});

/**
 * What `GET /api/config` answers (SPEC.md section 4): what the service runs on, to be compared with the deployment.
 *
 * @interface
 */
export type ServiceConfig = z.infer<typeof configResponse>;
/**
 * What `GET /api/network` answers (SPEC.md section 4); fees in lamports, chainTime in Unix seconds.
 *
 * @interface
 */
export type NetworkConfiguration = z.infer<typeof networkResponse>;
export type Rules = z.infer<typeof rulesResponse>;
export type Challenge = z.infer<typeof challengeResponse>;
/**
 * Who is signed in; expiresAt of the session in Unix seconds (SPEC.md section 4).
 *
 * @inline
 */
export type SignedIn = z.infer<typeof verifyResponse>;
export type Session = z.infer<typeof sessionResponse>;
/**
 * What the service knows of the wallet that is signed in (SPEC.md section 4); livePasses counts passes. The lists are
 * bounded, with the wallet's own records first: what else there is, the chain has.
 *
 * @interface
 */
export type Passport = z.infer<typeof passportResponse>;
/**
 * A session at the verifier: the URL to send the person to; expiresAt in Unix seconds (SPEC.md section 4).
 *
 * @interface
 */
export type VerificationSession = z.infer<typeof verificationSessionResponse>;
/**
 * The records that a proof is made from (SPEC.md section 4); passFee in lamports, chainTime in Unix seconds.
 *
 * @interface
 */
export type ProofContext = z.infer<typeof proofContextResponse>;
