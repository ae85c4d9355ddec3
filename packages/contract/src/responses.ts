/** Response bodies. They accept new fields (SPEC.md section 4). */
import * as z from 'zod/mini';
import { addressField, hexField, idField, u64Field } from './fields.ts';
import {
  bindingRecord,
  circuitRecord,
  credentialRecord,
  gateRecord,
  indexRecord,
  manifestRecord,
  passRecord,
  ruleSetRecord,
  verificationRecord,
  verifierRecord,
} from './records.ts';

/** The name of a region or of a status. */
export const nameEntry = z.object({
  /** The bit of this code in clause masks, from 0. */
  index: z.int(),
  /** The code that requests and witnesses use. */
  code: z.string(),
  /** English name, for people. */
  name: z.string(),
});

/** `GET /api/config`. */
export const configResponse = z.object({
  /** Base58 address of the program. */
  program: addressField,
  /** URL of the RPC that clients use. */
  rpcUrl: z.url(),
  /** Base58 genesis hash of the cluster. */
  genesisHash: z.string(),
  /** The proof artifacts. */
  artifacts: z.object({
    /** Digest of the manifest: 64 lowercase hex digits. */
    digest: hexField,
    /** The files are at `{baseUrl}/{digest}/{name}`. */
    baseUrl: z.url(),
    /** The manifest that the digest belongs to. */
    manifest: manifestRecord,
  }),
  /** Every region that clauses can name. */
  regions: z.array(nameEntry),
  /** Every status that clauses can name. */
  statuses: z.array(nameEntry),
  /** The most lamports that an operation may pay for priority. */
  maxPriorityFeeLamports: u64Field,
  /** The names of the verifiers that `POST /api/verification-sessions` accepts. The first one is the default. */
  verifiers: z.optional(z.array(z.string())),
});
/** A raise of the pass fee. */
export const passFeeRaise = z.object({
  /** The pass fee from then on, in lamports. */
  lamports: u64Field,
  /** Unix seconds from which it holds. */
  from: u64Field,
});
/** `GET /api/network`. Fees are in lamports, chainTime in Unix seconds. */
export const networkResponse = z.object({
  /** The governance configuration; null until it is set up. */
  governance: z.nullable(
    z.object({
      /** Base58 address of the Config account. */
      address: addressField,
      /** Base58 address of the governance key. */
      authority: addressField,
      /** Whether the protocol is paused: operations and transfers are rejected. */
      paused: z.boolean(),
      /** Base58 address of the key that may also pause the protocol; null if there is none. Absent from an older service. */
      guardian: z.optional(z.nullable(addressField)),
      /** Base58 address of the key that can accept to be the next governance key; null if there is none. Absent from an older service. */
      nominee: z.optional(z.nullable(addressField)),
      /**
       * Unix seconds. Passes that were issued earlier are not valid, even before their expiry. 0 if governance never ended any.
       * Absent from an older service.
       */
      passesValidFrom: z.optional(u64Field),
    }),
  ),
  /** All verifiers, including inactive ones. */
  verifiers: z.array(verifierRecord),
  /** The active circuit; null until one is set. */
  circuit: z.nullable(circuitRecord),
  /** Every circuit whose proofs the program accepts at chainTime, the one that retires last first; absent from an older service. */
  circuits: z.optional(z.array(circuitRecord)),
  /** Base58 address of the key that can upgrade the program; null if nobody can. */
  upgradeAuthority: z.nullable(addressField),
  /** The pass fee in lamports; null until governance sets it. */
  passFee: z.nullable(u64Field),
  /** A raise of the pass fee that governance has announced; null if there is none. Absent from an older service. */
  nextPassFee: z.optional(z.nullable(passFeeRaise)),
  /**
   * Pass fees that the protocol holds, in lamports: those in the treasury, and those that rule sets still hold for it. For the
   * seconds in which the index follows a collection, it counts them twice.
   */
  passFeesHeld: u64Field,
  /** Chain time in Unix seconds, from the clock of the cluster. */
  chainTime: u64Field,
});
/** `GET /api/rules`. */
export const rulesResponse = z.object({
  /** The rule sets of this page, in order of address. */
  ruleSets: z.array(ruleSetRecord),
  /** How far the service has read the chain. */
  index: indexRecord,
  /** The `cursor` of the next page; null on the last page. */
  nextCursor: z.nullable(z.string()),
});
/** `GET /api/mint-bindings`. */
export const mintBindingResponse = z.object({
  /** The binding of the mint; null if the mint is not bound. */
  binding: z.nullable(bindingRecord),
  /** The rule set of the binding; null if the mint is not bound. */
  ruleSet: z.nullable(ruleSetRecord),
  /** How far the service has read the chain. */
  index: indexRecord,
});
/** `POST /api/auth/challenge`. expiresAt is in Unix seconds. */
export const challengeResponse = z.object({
  /** UUID. */
  challengeId: idField,
  /** The exact text to sign. It contains the site, the wallet, the program, the cluster, a nonce and the expiry. */
  message: z.string(),
  /** Unix seconds at which the challenge expires: 300 after it was issued. */
  expiresAt: u64Field,
});
/** `POST /api/auth/verify`. expiresAt is the end of the session, in Unix seconds. */
export const verifyResponse = z.object({
  /** Base58 address of the wallet. */
  wallet: addressField,
  /** Unix seconds at which the session expires. */
  expiresAt: u64Field,
});
/** `GET /api/auth/session` and `POST /api/auth/logout`. */
export const sessionResponse = z.object({
  /** Base58 address of the wallet that is signed in; null if nobody is. */
  wallet: z.nullable(addressField),
});
/** `GET /api/passport`. Each list has a limit, and keeps the first records in its order. */
export const passportResponse = z.object({
  /** Base58 address of the wallet that is signed in. */
  wallet: addressField,
  /** The credential of the wallet; null if it has none. */
  credential: z.nullable(credentialRecord),
  /** The latest verification session of the wallet; absent if it never started one. */
  verification: z.optional(verificationRecord),
  /** The passes of the wallet, including expired ones. Those with the latest expiry come first. */
  passes: z.array(passRecord),
  /** Rule sets that the wallet created, then those that it holds a pass of, then those of mints that it issues. */
  ruleSets: z.array(
    z.object({
      // z.extend would make a bundle of the SDK larger.
      ...ruleSetRecord.shape,
      /** Number of live passes of this rule set. */
      livePasses: u64Field,
    }),
  ),
  /**
   * Mint bindings that the wallet issues under, then those that the creators of these rule sets issue under, then the others
   * of these rule sets, each in order of address.
   */
  bindings: z.array(bindingRecord),
  /** Gates of mints to these rule sets, in order of mint. Anybody can gate a mint. Absent from an older service. */
  gates: z.optional(z.array(gateRecord)),
  /** How far the service has read the chain. */
  index: indexRecord,
});
/** `POST /api/verification-sessions`. expiresAt is in Unix seconds. */
export const verificationSessionResponse = z.object({
  /** UUID. */
  sessionId: idField,
  /** URL of the verifier's page. Send the person there. */
  url: z.url(),
  /** Unix seconds at which the page expires. */
  expiresAt: u64Field,
});
/** `POST /api/proofs/context`. passFee is in lamports, chainTime in Unix seconds. */
export const proofContextResponse = z.object({
  /** The credential of the wallet that is signed in. */
  credential: credentialRecord,
  /** The rule set of the request. */
  ruleSet: ruleSetRecord,
  /** The verifier of the credential. */
  verifier: verifierRecord,
  /** The active circuit. */
  circuit: circuitRecord,
  /** The pass fee in lamports; null until governance sets it. */
  passFee: z.nullable(u64Field),
  /** Chain time in Unix seconds, from the clock of the cluster. */
  chainTime: u64Field,
});
/** The body of every error response (SPEC.md section 7). */
export const errorBody = z.object({
  /** Why the request was rejected. */
  error: z.object({
    /** Stable code, for programs. */
    code: z.string(),
    /** What went wrong and what to do, for people to read. */
    message: z.string(),
    /** UUID of the request, for the operator of the service. It is also in the X-Request-Id header. */
    requestId: z.string(),
  }),
});

export type ErrorBody = z.infer<typeof errorBody>;
/**
 * The response of `GET /api/config` (SPEC.md section 4). A client compares it with its pinned deployment.
 *
 * @interface
 */
export type ServiceConfig = z.infer<typeof configResponse>;
/**
 * The response of `GET /api/network` (SPEC.md section 4). Fees are in lamports, chainTime in Unix seconds.
 *
 * @interface
 */
export type NetworkConfiguration = z.infer<typeof networkResponse>;
export type Rules = z.infer<typeof rulesResponse>;
export type MintBindingAnswer = z.infer<typeof mintBindingResponse>;
export type Challenge = z.infer<typeof challengeResponse>;
/** The wallet that is signed in. expiresAt is the end of the session, in Unix seconds (SPEC.md section 4). */
export type SignedIn = z.infer<typeof verifyResponse>;
export type Session = z.infer<typeof sessionResponse>;
/**
 * The records of the wallet that is signed in (SPEC.md section 4). livePasses is a number of passes. The lists have a
 * limit and put the wallet's own records first; read the others from the chain.
 *
 * @interface
 */
export type Passport = z.infer<typeof passportResponse>;
/**
 * A session at the verifier. Send the person to its URL. expiresAt is in Unix seconds (SPEC.md section 4).
 *
 * @interface
 */
export type VerificationSession = z.infer<typeof verificationSessionResponse>;
/**
 * The records that a proof is made from (SPEC.md section 4). passFee is in lamports, chainTime in Unix seconds.
 *
 * @interface
 */
export type ProofContext = z.infer<typeof proofContextResponse>;
