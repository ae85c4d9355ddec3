/** Request bodies. They are strict: an unknown field is rejected (SPEC.md section 4). */
import * as z from 'zod/mini';
import { clauseRequest } from './clause.ts';
import {
  addressField,
  base64Field,
  decimalPattern,
  hexField,
  idField,
  nameField,
  u64Field,
  u64OrIntegerField,
} from './fields.ts';
import { MAX_CLAUSES, RULES_PAGE } from './limits.ts';

const ed25519SignatureField = base64Field.check(z.length(88));
// 29 February of a leap year.
const LEAP_DAY = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const MONTH_AND_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
// A day of the calendar. Zod has this pattern among others that would make the client larger.
const DAY = `(?:${LEAP_DAY}|\\d{4}-${MONTH_AND_DAY})`;
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?';
// `Z`, or the difference from UTC in each form of ISO 8601: `+02:00`, `+0200` or `+02`.
const OFFSET = '(?:Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)';
// The time of an event. A time without an offset is not a point in time, so it is rejected.
const eventTimeField = z
  .string()
  .check(
    z.regex(
      new RegExp(`^${DAY}T${TIME}${OFFSET}$`),
      'must be an ISO 8601 time with an offset, like 2026-01-15T12:00:00Z or 2026-01-15T14:00:00+02:00',
    ),
  );
const preparingFields = {
  /** Price of a compute unit, in micro-lamports. Without a price, the transaction pays no priority fee. */
  computeUnitPrice: z.optional(u64Field),
};
/** `POST /api/auth/challenge`. */
export const challengeRequest = z.strictObject({
  /** Base58 address of the wallet that wants to sign in. */
  wallet: addressField,
});
/** `POST /api/auth/verify`. The signature is base64 of 64 bytes. */
export const verifyRequest = z.strictObject({
  /** UUID of the challenge. */
  challengeId: idField,
  /** Base58 address of the wallet that asked for the challenge. */
  wallet: addressField,
  /** The wallet’s ed25519 signature of the exact message: base64 of 64 bytes. */
  signature: ed25519SignatureField,
});
/** `POST /api/verification-sessions`. returnUrl is a URL under the site's origin. */
export const verificationSessionRequest = z.strictObject({
  /** The URL to which the verifier sends the person back. It is under the site’s origin and has no fragment. */
  returnUrl: z.url('must be an absolute URL').check(z.maxLength(2_048)),
});
/** `POST /api/proofs/context`. */
export const proofContextRequest = z.strictObject({
  /** Base58 address of the rule set. */
  rule: addressField,
});
/** `POST /api/rules`. */
export const createRuleSetRequest = z.strictObject({
  ...preparingFields,
  /** Name of the rule set. */
  name: nameField,
  /** A u64 that no other rule set of the wallet has. The address is derived from the wallet and the nonce. */
  nonce: u64Field,
  /** 1 to 8 clauses. A person who meets one of them meets the rule set. */
  clauses: z.array(clauseRequest).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  /** Longest lifetime of a pass, in seconds: one hour to 366 days. A JSON integer is accepted too. */
  maxPassAgeSeconds: u64OrIntegerField,
});
/** `POST /api/mint-bindings`. */
export const bindMintRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a Token-2022 mint that meets the binding profile. The wallet is its mint authority. */
  mint: addressField,
  /** Base58 address of the rule set. */
  rule: addressField,
  /** Whether the sender of a transfer needs a live pass too. */
  requireSource: z.boolean(),
});
/** `POST /api/proofs`. The proof is base64 of 256 bytes. */
export const proveRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of the rule set. */
  rule: addressField,
  /** Unix seconds at which the pass expires. */
  expiresAt: u64Field,
  /** The Groth16 proof: base64 of 256 bytes. */
  proof: base64Field.check(z.length(344)),
});
/** Amount in base units of a token; not zero. */
const amountField = u64Field.check(z.refine((value) => value > 0n, 'must not be zero'));
/** `POST /api/mints/issue`. The amount is in base units. */
export const issueRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a bound mint. The wallet is its issuer. */
  mint: addressField,
  /** Base58 address of a token account of the mint. Its owner needs a live pass. */
  destination: addressField,
  /** Amount in base units. */
  amount: amountField,
});
/** `POST /api/transfers`. The amount is in base units. */
export const transferRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a bound mint. */
  mint: addressField,
  /** Base58 address of a token account of the wallet. */
  source: addressField,
  /** Base58 address of a token account of the mint. Its owner needs a live pass. */
  destination: addressField,
  /** Amount in base units. */
  amount: amountField,
});
/** `POST /api/transactions/submit`. */
export const submitRequest = z.strictObject({
  /** UUID of the operation. */
  operationId: idField,
  /** The prepared transaction with the wallet’s signature added and nothing else changed, as base64. */
  transaction: base64Field,
});
/** `POST /api/transactions/adopt`. */
export const adoptRequest = z.strictObject({
  /** UUID of the operation. */
  operationId: idField,
  /** The message that the wallet signed: the prepared one with guards and a compute budget added, as base64. */
  message: base64Field,
});
/** No body, or an empty object. */
export const emptyRequest = z.strictObject({});
/** Query of `GET /api/rules`. */
export const rulesQuery = z.strictObject({
  limit: z.optional(
    z
      .string()
      .check(
        z.regex(
          decimalPattern({ least: 1, most: BigInt(RULES_PAGE.max) }),
          `must be a whole number from 1 to ${RULES_PAGE.max}`,
        ),
      ),
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});
const ofSession = {
  /** UUID of the verification session. */
  sessionId: idField,
  /** Base58 address of the wallet that started the session. */
  wallet: addressField,
};
/** The verifier verified a person and signed the credential. */
export const verificationCompleted = z.strictObject({
  /** Type of the event. */
  type: z.literal('verification.completed'),
  /** Time of the event, as ISO 8601 with `Z` or any offset, such as `+02:00`. */
  timestamp: eventTimeField,
  /** The session, the wallet and the signed credential. */
  data: z.strictObject({
    ...ofSession,
    /** Poseidon commitment to the attributes and a salt: 64 lowercase hex digits, big-endian. */
    commitment: hexField,
    /** Unix seconds from which the credential is valid. */
    issuedAt: u64Field,
    /** Unix seconds at which the credential expires. */
    expiresAt: u64Field,
    /** The verifier authority’s ed25519 signature of the credential message: base64 of 64 bytes. */
    signature: ed25519SignatureField,
  }),
});
/** The verifier could not verify a person. */
export const verificationFailed = z.strictObject({
  /** Type of the event. */
  type: z.literal('verification.failed'),
  /** Time of the event, as ISO 8601 with `Z` or any offset, such as `+02:00`. */
  timestamp: eventTimeField,
  /** The session and the wallet. */
  data: z.strictObject(ofSession),
});
/** The verifier revokes the credentials that it signed for a wallet. */
export const credentialRevoked = z.strictObject({
  /** Type of the event. */
  type: z.literal('credential.revoked'),
  /** Time of the event, as ISO 8601 with `Z` or any offset, such as `+02:00`. */
  timestamp: eventTimeField,
  /** The session, the wallet and the signed revocation. */
  data: z.strictObject({
    ...ofSession,
    /** Unix seconds. Every credential that was signed for the wallet up to this time is revoked. */
    revokedAt: u64Field,
    /** The verifier authority’s ed25519 signature of the revocation message: base64 of 64 bytes. */
    signature: ed25519SignatureField,
  }),
});
/** `POST /api/verifier/webhook`. The Standard Webhooks headers authenticate it. */
export const webhookRequest = z.discriminatedUnion('type', [
  verificationCompleted,
  verificationFailed,
  credentialRevoked,
]);

export type ChallengeRequest = z.infer<typeof challengeRequest>;
export type VerifyRequest = z.infer<typeof verifyRequest>;
export type VerificationSessionRequest = z.infer<typeof verificationSessionRequest>;
export type CreateRuleSetRequest = z.infer<typeof createRuleSetRequest>;
export type BindMintRequest = z.infer<typeof bindMintRequest>;
export type ProveRequest = z.infer<typeof proveRequest>;
export type IssueRequest = z.infer<typeof issueRequest>;
export type TransferRequest = z.infer<typeof transferRequest>;
export type SubmitRequest = z.infer<typeof submitRequest>;
export type AdoptRequest = z.infer<typeof adoptRequest>;
export type WebhookRequest = z.infer<typeof webhookRequest>;
