/** Receipts: what an operation did and where the chain says so, as JSON that anyone can check. */
import {
  addressField,
  genesisHashField,
  hexField,
  idField,
  OPERATION_KINDS,
  signatureField,
  u64TextField,
} from '@service/contract';
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

const receiptSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('CREATE_RULE_SET'), rule: addressField }),
  z.strictObject({
    ...common,
    kind: z.literal('BIND_MINT'),
    mint: addressField,
    rule: addressField,
    requireSource: z.boolean(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('PROVE'),
    rule: addressField,
    pass: addressField,
    passExpiresAt: u64TextField,
  }),
  z.strictObject({
    ...common,
    kind: z.literal('ISSUE'),
    mint: addressField,
    destination: addressField,
    amount: u64TextField,
  }),
  z.strictObject({
    ...common,
    kind: z.literal('TRANSFER'),
    mint: addressField,
    source: addressField,
    destination: addressField,
    amount: u64TextField,
  }),
]);

/**
 * What a finalized operation did, as plain JSON (SPEC.md sections 3 and 4); `verifyReceipt` checks it against any RPC.
 *
 * Every kind has `version` (1), `program`, `genesisHash`, `operationId`, `wallet` (it signed and paid), `signature`
 * (base58), `slot`, `memo` and `messageDigest` (SHA-256 of the signed message, hex), and beside them what the kind did.
 * Slots, amounts (base units) and times (Unix seconds) are decimal strings, as JSON has no bigint.
 *
 * @useDeclaredType
 */
export type Receipt = Readonly<z.infer<typeof receiptSchema>>;

/** Characters of the longest text that is read as a receipt: many times those of any that there is. */
const MOST_CHARACTERS = 16_384;

/**
 * Reads a receipt from its JSON text or from what was parsed of it. Says nothing yet of whether it is true (SPEC.md
 * sections 3 and 4).
 *
 * @throws ServiceError RECEIPT_INVALID with the field that is missing, malformed, not one of a receipt, or in the text twice
 */
export function parseReceipt(json: unknown): Receipt {
  // Receipts come from others; what follows takes any text apart, and a very long one beyond its means.
  if (typeof json === 'string' && json.length > MOST_CHARACTERS) {
    throw receiptInvalid({
      field: 'receipt',
      expected: `at most ${MOST_CHARACTERS} characters long`,
      received: 'longer',
    });
  }
  const value = typeof json === 'string' ? parseJson(json) : json;
  const doubled = typeof json === 'string' && value !== undefined ? doubledKey(json) : undefined;
  if (doubled !== undefined) {
    throw receiptInvalid({ field: doubled, expected: 'there once', received: 'in the text more often' });
  }
  const parsed = receiptSchema.safeParse(value);
  if (parsed.success) return Object.freeze(parsed.data);
  const issue = parsed.error.issues[0];
  const own = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  const field = isOfAnotherKind(value) ? 'kind' : own;
  throw receiptInvalid({
    field: field || 'receipt',
    expected: 'what a receipt of version 1 has there',
    received: 'something else, or nothing',
    remedy: 'Take the receipt from client.fetchReceipt(operationId) again, and pass its JSON whole.',
  });
}

/** The refusal of a receipt for one of its fields. */
export function receiptInvalid(what: {
  readonly field: string;
  readonly expected: string;
  readonly received: string;
  readonly remedy?: string;
}): ServiceError<'RECEIPT_INVALID'> {
  const { remedy } = what;
  // Whoever made the receipt, or the transaction that it names, chose the words.
  const [field, expected, received] = [
    readable(what.field, 40),
    readable(what.expected),
    readable(what.received),
  ];
  return new ServiceError('RECEIPT_INVALID', {
    message: `The receipt is refused for its ${field}: it must be ${expected} and is ${received}. ${
      remedy ?? 'Do not accept it; ask whoever gave it to you for the receipt as the SDK made it.'
    }`,
    context: { field, expected, received },
  });
}

/** Whether it would be a receipt if it named another kind. */
function isOfAnotherKind(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    OPERATION_KINDS.some((kind) => receiptSchema.safeParse({ ...value, kind }).success)
  );
}

/**
 * The first key that a JSON text has twice. Programs take the last one, a person reads the first; a receipt holds no
 * objects, so a key may be there once in the whole text.
 */
function doubledKey(json: string): string | undefined {
  const keys = new Set<unknown>();
  // Outside of texts, valid JSON has no quotation marks: each text is met from its beginning.
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
