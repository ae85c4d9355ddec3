/** Operations: their kinds, states, the only transitions between states, and the record on the wire (SPEC.md section 3). */
import * as z from 'zod/mini';
import { addressField, base64Field, idField, signatureField, u64Field } from './fields.ts';

/** The five operation kinds. */
export const OPERATION_KINDS = ['CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] as const;
/**
 * What an operation does (SPEC.md section 3).
 *
 * @useDeclaredType
 */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** The seven operation states. */
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
  operationId: idField,
  kind: z.enum(OPERATION_KINDS),
  wallet: addressField,
  createdAt: u64Field,
  expiresAt: u64Field,
  /** CREATE_RULE_SET only: the address of the rule set. */
  rule: z.optional(addressField),
};

/** Why an operation failed. */
export const failureRecord = z.object({
  reason: z.enum(['ON_CHAIN_ERROR', 'NEVER_LANDED']),
  instruction: z.optional(z.int()),
  programError: z.optional(z.object({ code: z.int(), name: z.string() })),
  message: z.string(),
});

const draft = z.object({ ...common, state: z.literal('DRAFT'), transaction: base64Field });
const expired = z.object({ ...common, state: z.literal('EXPIRED') });
const queued = z.object({ ...common, state: z.literal('QUEUED'), signature: signatureField });
const submitted = z.object({ ...common, state: z.literal('SUBMITTED'), signature: signatureField });
const unresolved = z.object({ ...common, state: z.literal('UNRESOLVED'), signature: signatureField });
const finalized = z.object({
  ...common,
  state: z.literal('FINALIZED'),
  signature: signatureField,
  slot: u64Field,
  indexed: z.boolean(),
});
const failed = z.object({
  ...common,
  state: z.literal('FAILED'),
  signature: signatureField,
  slot: z.optional(u64Field),
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
 * Why an operation failed. `instruction` counts from 0: the memo, then the action.
 *
 * @interface
 */
export type OperationFailure = z.infer<typeof failureRecord>;
