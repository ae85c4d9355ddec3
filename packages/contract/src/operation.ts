/** Operations: their kinds, states, the only transitions between states, and the record on the wire (SPEC.md section 3). */
import * as z from 'zod/mini';
import { addressField, base64Field, idField, signatureField, u64Field } from './fields.ts';
import type { ProgramErrorName } from './generated/program-error-name.ts';

/** The five operation kinds (SPEC.md section 4). */
export const OPERATION_KINDS = ['CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] as const;
/**
 * What an operation does (SPEC.md section 3).
 *
 * @useDeclaredType
 */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** The seven operation states (SPEC.md section 3). */
export const OPERATION_STATES = [
  'DRAFT',
  'EXPIRED',
  'QUEUED',
  'SUBMITTED',
  'UNRESOLVED',
  'FINALIZED',
  'FAILED',
] as const;
/**
 * The state of an operation (SPEC.md section 3).
 *
 * @useDeclaredType
 */
export type OperationState = (typeof OPERATION_STATES)[number];

/** Every transition that there is; a state may change in no other way. */
export const OPERATION_TRANSITIONS = {
  DRAFT: ['EXPIRED', 'QUEUED'],
  EXPIRED: [],
  QUEUED: ['SUBMITTED'],
  SUBMITTED: ['FINALIZED', 'FAILED', 'UNRESOLVED'],
  UNRESOLVED: ['FINALIZED', 'FAILED'],
  FINALIZED: [],
  FAILED: [],
} as const satisfies Record<OperationState, readonly OperationState[]>;

/** States of a signed operation without a final result: at most one per wallet. */
export const PENDING_STATES = [
  'QUEUED',
  'SUBMITTED',
  'UNRESOLVED',
] as const satisfies readonly OperationState[];

/** Whether the operation can change no more. */
export function isFinal(state: OperationState): boolean {
  return OPERATION_TRANSITIONS[state].length === 0;
}

const common = {
  /** UUID; the memo of its transaction is `service:v1:` and this. */
  operationId: idField,
  /** What it does. */
  kind: z.enum(OPERATION_KINDS),
  /** Base58 address of the wallet that asked for it, signs and pays. */
  wallet: addressField,
  /** Unix seconds. */
  createdAt: u64Field,
  /** Unix seconds at which an unsigned draft ends: 90 after createdAt. */
  expiresAt: u64Field,
  /** CREATE_RULE_SET only: base58 address of the rule set. */
  rule: z.optional(addressField),
};

// Any text is valid, because a newer service may know more names. The type is what a `switch` is checked against.
const programErrorNameField = z.string() as z.ZodMiniType<ProgramErrorName, string>;

/** Why an operation failed. */
export const failureRecord = z.object({
  /** Whether it failed on chain, or certainly never got there. */
  reason: z.enum(['ON_CHAIN_ERROR', 'NEVER_LANDED']),
  /** Index of the instruction that failed: 0 is the memo, 1 the action. */
  instruction: z.optional(z.int()),
  /** The error of the program that failed. */
  programError: z.optional(
    z.object({
      /** Number of the error. */
      code: z.int(),
      /** Name of the error, such as `DESTINATION_PASS_MISSING`; `CUSTOM_<code>` when the number has no known name. */
      name: programErrorNameField,
    }),
  ),
  /** For people. */
  message: z.string(),
});

/** What a signed operation has. */
const signed = {
  ...common,
  /** Of its transaction: base58 of 64 bytes. */
  signature: signatureField,
};

const draft = z.object({
  ...common,
  /** Prepared, not signed. */
  state: z.literal('DRAFT'),
  /** The unsigned transaction, base64. */
  transaction: base64Field,
});
const expired = z.object({
  ...common,
  /** Never signed within 90 seconds. */
  state: z.literal('EXPIRED'),
});
const queued = z.object({
  ...signed,
  /** Signed and saved. */
  state: z.literal('QUEUED'),
});
const submitted = z.object({
  ...signed,
  /** Broadcast; waiting for finality. */
  state: z.literal('SUBMITTED'),
});
const unresolved = z.object({
  ...signed,
  /** The RPC could not yet establish the outcome; the same signature is still checked. */
  state: z.literal('UNRESOLVED'),
});
const finalized = z.object({
  ...signed,
  /** Executed and final. */
  state: z.literal('FINALIZED'),
  /** Number of the slot in which it was executed. */
  slot: u64Field,
  /** Whether the index has reached that slot, so that reads show it. */
  indexed: z.boolean(),
});
const failed = z.object({
  ...signed,
  /** Final, without effect. */
  state: z.literal('FAILED'),
  /** Number of the slot in which it failed; absent when it never landed. */
  slot: z.optional(u64Field),
  /** Why. */
  failure: failureRecord,
});

/** The operation record: a union by state, each variant with only its valid fields. */
export const operationRecord = z.discriminatedUnion('state', [
  draft,
  expired,
  queued,
  submitted,
  unresolved,
  finalized,
  failed,
]);
/**
 * The operation record (SPEC.md section 3): a union by state, each variant with only its valid fields; times in Unix
 * seconds, slot a number of slots.
 *
 * @useDeclaredType
 */
export type Operation = z.infer<typeof operationRecord>;
/** An operation as it answers a prepare or its replay. */
export type OperationIn<S extends OperationState> = Extract<Operation, { state: S }>;
/**
 * Why an operation failed. `instruction` counts from 0: the memo, then the action (SPEC.md section 3).
 *
 * @interface
 */
export type OperationFailure = z.infer<typeof failureRecord>;
