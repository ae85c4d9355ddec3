/** Receipts: JSON with the effect of an operation and its place on the chain, so that anyone can check it. */
import type { OperationKind } from '@service/contract';
import { genesisHashField } from '@service/contract/deployment';
import { addressField, hexField, idField, signatureField, u64TextField } from '@service/contract/fields';
import { OPERATION_KINDS } from '@service/contract/operation';
import { REMOVAL_REASONS } from '@service/contract/removal-reasons';
import * as z from 'zod/mini';
import { ServiceError } from '../errors.ts';
import { readable } from '../lib/quoted.ts';

const common = {
  version: z.literal(1),
  program: addressField,
  genesisHash: genesisHashField,
  operationId: idField,
  wallet: addressField,
  signature: signatureField,
  slot: u64TextField,
  memo: z.string(),
  messageDigest: hexField,
};

function schemaOf<K extends OperationKind, F extends Record<string, z.ZodMiniType>>(kind: K, fields: F) {
  return z.strictObject({ ...common, kind: z.literal(kind), ...fields });
}

/** The fields of tokens that an issuer took. */
const removal = {
  mint: addressField,
  source: addressField,
  amount: u64TextField,
  reason: z.enum(REMOVAL_REASONS),
};

const receiptSchema = z.discriminatedUnion('kind', [
  schemaOf('CREATE_RULE_SET', { rule: addressField }),
  schemaOf('BIND_MINT', {
    mint: addressField,
    rule: addressField,
    requireSource: z.boolean(),
    honoursGranted: z.optional(z.literal(true)),
    readsCredential: z.optional(z.literal(true)),
  }),
  schemaOf('PROVE', {
    rule: addressField,
    pass: addressField,
    passExpiresAt: u64TextField,
    // The Place account, in a rule set that limits the wallets of each person.
    place: z.optional(addressField),
    // The wallet that lost this place.
    replaced: z.optional(addressField),
  }),
  schemaOf('ISSUE', { mint: addressField, destination: addressField, amount: u64TextField }),
  schemaOf('TRANSFER', {
    mint: addressField,
    source: addressField,
    destination: addressField,
    amount: u64TextField,
  }),
  schemaOf('RECOVER', { ...removal, destination: addressField }),
  schemaOf('REDEEM', removal),
  schemaOf('SUSPEND', { rule: addressField, holder: addressField, pass: addressField, until: u64TextField }),
  schemaOf('GRANT', {
    rule: addressField,
    // The instruction that ends a grant names only the pass.
    holder: z.optional(addressField),
    pass: addressField,
    passExpiresAt: u64TextField,
  }),
]);

/**
 * What a finalized operation did, as plain JSON (SPEC.md sections 3 and 4). `verifyReceipt` checks it against any RPC.
 *
 * Every kind has `version` (1), `program`, `genesisHash`, `operationId`, `wallet` (it signed and paid), `signature`
 * (base58), `slot`, `memo` and `messageDigest` (SHA-256 of the signed message, hex), and the fields of its kind.
 * Slots, amounts (base units) and times (Unix seconds) are decimal strings, because JSON has no bigint.
 *
 * @useDeclaredType
 */
export type Receipt = Readonly<z.infer<typeof receiptSchema>>;

/** A field that receipts of every kind have. */
export type CommonReceiptField = keyof typeof common;

/** Characters of the longest text that is read as a receipt, many times more than any receipt has. */
const MOST_CHARACTERS = 16_384;

/**
 * Reads a receipt from its JSON text or from the parsed object. Does not check whether it is true (SPEC.md sections 3
 * and 4).
 *
 * @throws ServiceError RECEIPT_INVALID with the field that is missing, malformed, unknown, or in the text twice
 */
export function parseReceipt(json: unknown): Receipt {
  // Receipts come from others. Reject a text that is too long to read before parsing it.
  if (typeof json === 'string' && json.length > MOST_CHARACTERS) {
    throw receiptInvalid('receipt', `at most ${MOST_CHARACTERS} characters long`, 'longer');
  }
  const value = typeof json === 'string' ? parseJson(json) : json;
  const doubled = typeof json === 'string' && value !== undefined ? doubledKey(json) : undefined;
  if (doubled !== undefined) throw receiptInvalid(doubled, 'in the text once', 'in it more often');
  const parsed = receiptSchema.safeParse(value);
  if (parsed.success) return Object.freeze(parsed.data);
  const issue = parsed.error.issues[0];
  const own = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  const field = isOfAnotherKind(value) ? 'kind' : own;
  throw receiptInvalid(
    field || 'receipt',
    'a value that a receipt of version 1 can have',
    'missing or something else',
    'Take the receipt from client.fetchReceipt(operationId) again, and pass its JSON whole.',
  );
}

/** Returns the error of a receipt with one wrong field. */
export function receiptInvalid(
  field: string,
  expected: string,
  received: string,
  remedy = 'Do not accept it. Ask the person who gave it to you for the receipt that the SDK made.',
): ServiceError<'RECEIPT_INVALID'> {
  // The maker of the receipt, or of the transaction, chose these words.
  const context = { field: readable(field, 40), expected: readable(expected), received: readable(received) };
  return new ServiceError('RECEIPT_INVALID', {
    message: `The receipt is not valid because of its ${context.field}: it must be ${context.expected} and is ${context.received}. ${remedy}`,
    context,
  });
}

/** Returns whether a value would be a receipt if it named another kind. */
function isOfAnotherKind(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    OPERATION_KINDS.some((kind) => receiptSchema.safeParse({ ...value, kind }).success)
  );
}

/**
 * Returns the first key that a JSON text has twice. Programs read the last one, and a person reads the first. A receipt
 * contains no objects, so a key may appear once in the whole text.
 */
function doubledKey(json: string): string | undefined {
  const keys = new Set<unknown>();
  // Valid JSON has quotation marks only around texts, so each match starts at the start of a text.
  for (const [, text, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*(:)?/g)) {
    if (!colon) continue;
    const key: unknown = JSON.parse(text!);
    if (keys.has(key)) return String(key);
    keys.add(key);
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
