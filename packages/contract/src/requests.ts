/** Request bodies, strict: an unknown field is refused (SPEC.md section 4). */
import * as z from 'zod/mini';
import { clauseRequest } from './clause.ts';
import {
  addressField,
  base64Field,
  hexField,
  idField,
  nameField,
  u64Field,
  u64OrIntegerField,
} from './fields.ts';
import { MAX_CLAUSES } from './limits.ts';

/** `POST /api/auth/challenge`. */
export const challengeRequest = z.strictObject({ wallet: addressField });
/** `POST /api/auth/verify`; signature is base64 of 64 bytes. */
export const verifyRequest = z.strictObject({
  challengeId: idField,
  wallet: addressField,
  signature: base64Field.check(z.length(88)),
});
/** `POST /api/verification-sessions`; returnUrl lies under the site's origin. */
export const verificationSessionRequest = z.strictObject({
  returnUrl: z.url('must be an absolute URL').check(z.maxLength(2_048)),
});
/** `POST /api/proofs/context`. */
export const proofContextRequest = z.strictObject({ rule: addressField });
/** `POST /api/rules`. */
export const createRuleSetRequest = z.strictObject({
  name: nameField,
  nonce: u64Field,
  clauses: z.array(clauseRequest).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  maxPassAgeSeconds: u64OrIntegerField,
});
/** `POST /api/mint-bindings`. */
export const bindMintRequest = z.strictObject({
  mint: addressField,
  rule: addressField,
  requireSource: z.boolean(),
});
/** `POST /api/proofs`; proof is base64 of 256 bytes. */
export const proveRequest = z.strictObject({
  rule: addressField,
  expiresAt: u64Field,
  proof: base64Field.check(z.length(344)),
});
const amountField = u64Field.check(z.refine((value) => value > 0n, 'must not be zero'));
/** `POST /api/mints/issue`; amount in base units. */
export const issueRequest = z.strictObject({
  mint: addressField,
  destination: addressField,
  amount: amountField,
});
/** `POST /api/transfers`; amount in base units. */
export const transferRequest = z.strictObject({
  mint: addressField,
  source: addressField,
  destination: addressField,
  amount: amountField,
});
/** `POST /api/transactions/submit`. */
export const submitRequest = z.strictObject({ operationId: idField, transaction: base64Field });
/** An empty body: none, or an empty object. */
export const emptyRequest = z.strictObject({});
/** Query of `GET /api/rules`. */
export const rulesQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be 1 to 500'))),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});
/** `POST /api/verifier/webhook`, authenticated by the Standard Webhooks headers. */
export const webhookRequest = z.strictObject({
  type: z.enum(['verification.completed', 'verification.failed', 'credential.revoked']),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    sessionId: idField,
    wallet: addressField,
    commitment: z.optional(hexField),
    issuedAt: z.optional(u64Field),
    expiresAt: z.optional(u64Field),
    /** The verifier authority's ed25519 signature over the credential message, base64 of 64 bytes. */
    signature: z.optional(base64Field.check(z.length(88))),
  }),
});

export type ChallengeRequest = z.infer<typeof challengeRequest>;
export type VerifyRequest = z.infer<typeof verifyRequest>;
export type VerificationSessionRequest = z.infer<typeof verificationSessionRequest>;
export type CreateRuleSetRequest = z.infer<typeof createRuleSetRequest>;
export type BindMintRequest = z.infer<typeof bindMintRequest>;
export type ProveRequest = z.infer<typeof proveRequest>;
export type IssueRequest = z.infer<typeof issueRequest>;
export type TransferRequest = z.infer<typeof transferRequest>;
export type SubmitRequest = z.infer<typeof submitRequest>;
export type WebhookRequest = z.infer<typeof webhookRequest>;
