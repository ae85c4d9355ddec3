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

const nameTable = z.array(z.object({ index: z.int(), code: z.string(), name: z.string() }));

/** `GET /api/config`. */
export const configResponse = z.object({
  program: addressField,
  rpcUrl: z.url(),
  genesisHash: z.string(),
  artifacts: z.object({ digest: hexField, baseUrl: z.url(), manifest: manifestRecord }),
  regions: nameTable,
  statuses: nameTable,
});
/** `GET /api/network`; fees in lamports, chainTime in Unix seconds. */
export const networkResponse = z.object({
  governance: z.nullable(z.object({ address: addressField, authority: addressField, paused: z.boolean() })),
  verifiers: z.array(verifierRecord),
  circuit: z.nullable(circuitRecord),
  upgradeAuthority: z.nullable(addressField),
  passFee: z.nullable(u64Field),
  passFeesHeld: u64Field,
  chainTime: u64Field,
});
/** `GET /api/rules`. */
export const rulesResponse = z.object({
  ruleSets: z.array(ruleSetRecord),
  index: indexRecord,
  nextCursor: z.nullable(z.string()),
});
/** `GET /api/health/live`. */
export const liveResponse = z.object({ status: z.literal('ok') });
/** `GET /api/health/ready` with HTTP 200. */
export const readyResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal('waiting'), missing: z.array(z.string()) }),
]);
/** `GET /api/health/ready` with HTTP 503. */
export const failingResponse = z.object({
  status: z.literal('failing'),
  checks: z.object({ database: z.boolean(), chain: z.boolean(), index: z.boolean(), jobs: z.boolean() }),
  error: z.object({ code: z.literal('UNAVAILABLE'), message: z.string(), requestId: z.string() }),
});
/** `POST /api/auth/challenge`; expiresAt in Unix seconds. */
export const challengeResponse = z.object({ challengeId: idField, message: z.string(), expiresAt: u64Field });
/** `POST /api/auth/verify`; expiresAt of the session in Unix seconds. */
export const verifyResponse = z.object({ wallet: addressField, expiresAt: u64Field });
/** `GET /api/auth/session` and `POST /api/auth/logout`. */
export const sessionResponse = z.object({ wallet: z.nullable(addressField) });
/** `GET /api/passport`; no verification for a wallet that never started one. */
export const passportResponse = z.object({
  wallet: addressField,
  credential: z.nullable(credentialRecord),
  verification: z.optional(verificationRecord),
  passes: z.array(passRecord),
  ruleSets: z.array(z.extend(ruleSetRecord, { livePasses: u64Field })),
  bindings: z.array(bindingRecord),
  index: indexRecord,
});
/** `POST /api/verification-sessions`; expiresAt in Unix seconds. */
export const verificationSessionResponse = z.object({
  sessionId: idField,
  url: z.url(),
  expiresAt: u64Field,
});
/** `POST /api/proofs/context`; passFee in lamports, chainTime in Unix seconds. */
export const proofContextResponse = z.object({
  credential: credentialRecord,
  ruleSet: ruleSetRecord,
  verifier: verifierRecord,
  circuit: circuitRecord,
  passFee: z.nullable(u64Field),
  chainTime: u64Field,
});
/** `POST /api/verifier/webhook`. */
export const webhookResponse = z.object({ received: z.literal(true) });

/**
 * What `GET /api/config` answers (SPEC.md section 4): what the service runs on, to be compared with the deployment.
 *
 * @interface
 */
export type Config = z.infer<typeof configResponse>;
/**
 * What `GET /api/network` answers (SPEC.md section 4); fees in lamports, chainTime in Unix seconds.
 *
 * @interface
 */
export type Network = z.infer<typeof networkResponse>;
export type Rules = z.infer<typeof rulesResponse>;
export type Challenge = z.infer<typeof challengeResponse>;
/**
 * Who is signed in; expiresAt of the session in Unix seconds (SPEC.md section 4).
 *
 * @interface
 */
export type SignedIn = z.infer<typeof verifyResponse>;
export type Session = z.infer<typeof sessionResponse>;
/**
 * What the service knows of the wallet that is signed in (SPEC.md section 4); livePasses counts passes.
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
