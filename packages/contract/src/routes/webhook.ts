/** The webhook of verifiers. The client does not use it (SPEC.md section 4). */
import * as z from 'zod/mini';
import { addressField, ed25519SignatureField, hexField, idField, u64Field } from '../fields.ts';

// 29 February of a leap year.
const LEAP_DAY = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const MONTH_AND_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
// A day of the calendar.
const DAY = `(?:${LEAP_DAY}|[0-9]{4}-${MONTH_AND_DAY})`;
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?';
// `Z`, or the difference from UTC in each form of ISO 8601: `+02:00`, `+0200` or `+02`.
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)';
// The time of an event. A time without an offset is not a point in time, so it is rejected.
const eventTimeField = z
  .string()
  .check(
    z.regex(
      new RegExp(`^${DAY}T${TIME}${OFFSET}$`),
      'must be an ISO 8601 time with an offset, like 2026-01-15T12:00:00Z or 2026-01-15T14:00:00+02:00',
    ),
  );
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
    /** Poseidon commitment to the attributes, a salt and a person: 64 lowercase hex digits, big-endian. */
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
/** The verifier reviews a person, which may take days. It reports the result later. */
export const verificationPending = z.strictObject({
  /** Type of the event. */
  type: z.literal('verification.pending'),
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
  verificationPending,
  credentialRevoked,
]);
/** `POST /api/verifier/webhook`. */
export const webhookResponse = z.object({
  /** The service has stored the message. */
  received: z.literal(true),
});

export type WebhookRequest = z.infer<typeof webhookRequest>;
