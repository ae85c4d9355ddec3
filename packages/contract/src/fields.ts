/**
 * The field types of the wire, one schema each (SPEC.md section 2). A `u64Field` is a bigint in code and a decimal string
 * on the wire.
 */
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import { isAddress } from './address.ts';

const U64_MAX = 18_446_744_073_709_551_615n;

/**
 * Returns the pattern of the decimal strings from `least` to `most`, without leading zeros. The pattern contains both
 * bounds, so that a client that reads it in the OpenAPI document never sends a number that is rejected.
 */
export function decimalPattern({ least, most }: { least: 0 | 1; most: bigint }): RegExp {
  const digits = most.toString();
  const shorter = digits.length > 1 ? [`[1-9][0-9]{0,${digits.length - 2}}`] : [];
  const asLong = [...digits].flatMap((digit, place) => {
    const [lowest, below] = [place ? 0 : 1, Number(digit) - 1];
    const rest = digits.length - place - 1;
    const upToBelow = lowest === below ? below : `[${lowest}-${below}]`;
    return below < lowest ? [] : [`${digits.slice(0, place)}${upToBelow}${rest ? `[0-9]{${rest}}` : ''}`];
  });
  return new RegExp(`^(${[...(least ? [] : ['0']), ...shorter, ...asLong, digits].join('|')})$`);
}

/** Address: base58 of 32 bytes. */
export const addressField = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'must be a base58 address of 32 bytes',
);

/** Decimal string of a u64. It is a string in code too, as in a receipt. */
export const u64TextField = z
  .string()
  .check(z.regex(decimalPattern({ least: 0, most: U64_MAX }), 'must be a decimal string of 64 bits'));

/** A u64 (lamports, base units or Unix seconds): a decimal string on the wire, a bigint in code. */
export const u64Field = z.codec(u64TextField, z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});

/** Like u64Field, but it also accepts a JSON integer. It is written as a decimal string. */
export const u64OrIntegerField = z.union([
  u64Field,
  z.codec(z.int().check(z.gte(0)), z.bigint(), {
    decode: (value) => BigInt(value),
    encode: (value) => Number(value),
  }),
]);

/** 64 lowercase hex digits: 32 bytes. */
export const hexField = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits'));

/** Canonical base64: the standard alphabet, with padding, and with zeros in the unused bits of the last digit. */
export const base64Field = z
  .string()
  .check(
    z.maxLength(4_096),
    z.regex(
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/,
      'must be canonical base64 with padding',
    ),
  );
/** A proof: base64 of 256 bytes, or of 289 with the number of a place (1 byte) and the tag of the person for it (32). */
export const proofField = base64Field.check(
  z.regex(
    /^(?:[A-Za-z0-9+/]{342}|[A-Za-z0-9+/]{386})==$/,
    'must be base64 of 256 bytes, or of 289 with a place',
  ),
);
/** A signature of a wallet or a verifier: base64 of 64 bytes. */
export const ed25519SignatureField = base64Field.check(z.length(88));

/** Base58 of a 64-byte transaction signature. */
export const signatureField = z
  .string()
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'must be a base58 signature'));

/** Lowercase UUID that identifies an operation, a challenge, a session or a request. */
export const idField = z
  .string()
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      'must be a lowercase UUID',
    ),
  );

/** Id of an event: `evt_` and 32 hex digits. It is the `webhook-id` of each delivery. */
export const eventIdField = z
  .string()
  .check(z.regex(/^evt_[0-9a-f]{32}$/, 'must be evt_ and 32 lowercase hex digits'));

/**
 * Display name: 1 to 32 bytes of UTF-8. It has no control, bidirectional or zero-width characters, and no space at either
 * end. The chain rejects the same characters, but lets U+FE0F follow some signs that are not emoji. The pattern in the OpenAPI
 * document cannot say all of this, so it accepts some names that the service rejects.
 */
export const nameField = z.string().check(
  z.minLength(1),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name must not contain these characters
  z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not contain control characters'),
  // Invisible marks make one name look like another. U+FE0F is allowed only after a sign that it turns into an emoji. The last
  // five show nothing, but Unicode lists them with the visible characters of their scripts.
  z.regex(
    /^(?:[^\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]|\p{Extended_Pictographic}\ufe0f)*$/u,
    'must not contain bidirectional or zero-width characters',
  ),
  z.regex(/^(?!\p{Zs}|[\s\S]*\p{Zs}$)/u, 'must not begin or end with a space'),
  z.refine((name) => new TextEncoder().encode(name).length <= 32, 'must be at most 32 bytes of UTF-8'),
  z.refine((name) => !/\p{Surrogate}/u.test(name), 'must be well-formed Unicode'),
);

/** How the keys of a circuit were made. */
export const setupKindField = z.enum(['development', 'operator', 'ceremony']);
