/** The operation record on the wire: a union by state (SPEC.md section 3). */
import * as z from 'zod/mini';
import { addressField, base64Field, idField, signatureField, u64Field } from './fields.ts';
import type { ProgramErrorName } from './generated/program-error-name.ts';
import { OPERATION_KINDS, type OperationState } from './operation.ts';

const common = {
  /** UUID. The memo of the transaction is `service:v1:` followed by it. */
  operationId: idField,
  /** The action. */
  kind: z.enum(OPERATION_KINDS),
  /** Base58 address of the wallet that requested the operation. It signs and pays. */
  wallet: addressField,
  /** Unix seconds at which the operation was prepared. */
  createdAt: u64Field,
  /** Unix seconds at which an unsigned draft expires: 90 after createdAt. */
  expiresAt: u64Field,
  /** Base58 address of the rule set. Only CREATE_RULE_SET has it. */
  rule: z.optional(addressField),
};

// Any text is valid, because a newer service may know more names. The type is what a `switch` is checked against.
const programErrorNameField = z.string() as z.ZodMiniType<ProgramErrorName, string>;

/** Why an operation failed. */
export const failureRecord = z.object({
  /** ON_CHAIN_ERROR: the transaction failed on chain. NEVER_LANDED: it can never reach the chain any more. */
  reason: z.enum(['ON_CHAIN_ERROR', 'NEVER_LANDED']),
  /** Index of the instruction that failed: 0 is the memo, 1 the action, if no guards and no compute budget were added. */
  instruction: z.optional(z.int()),
  /** The error of the program that failed. */
  programError: z.optional(
    z.object({
      /** Number of the error. */
      code: z.int(),
      /**
       * Name of the error, such as `DESTINATION_PASS_MISSING`; `GUARD_FAILED` if a guard that the wallet added did not hold;
       * `CUSTOM_<code>` if the number is unknown.
       */
      name: programErrorNameField,
    }),
  ),
  /** What failed, for people to read. */
  message: z.string(),
});

/** Fields of every signed operation. */
const signed = {
  ...common,
  /** Signature of the transaction: base58 of 64 bytes. */
  signature: signatureField,
};

const draft = z.object({
  ...common,
  /** Prepared, not signed. */
  state: z.literal('DRAFT'),
  /** The unsigned transaction, as base64. */
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
  /** The RPC could not yet establish the outcome. The service keeps checking the same signature. */
  state: z.literal('UNRESOLVED'),
});
const finalized = z.object({
  ...signed,
  /** Executed and final. */
  state: z.literal('FINALIZED'),
  /** Number of the slot in which the transaction was executed. */
  slot: u64Field,
  /** Whether the index has reached that slot, so that reads include the result. */
  indexed: z.boolean(),
});
const failed = z.object({
  ...signed,
  /** Final; nothing changed. */
  state: z.literal('FAILED'),
  /** Number of the slot in which the transaction failed; absent if it never landed. */
  slot: z.optional(u64Field),
  /** Why it failed. */
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
 * The operation record (SPEC.md section 3): a union by state, each variant with only its valid fields. Times are in
 * Unix seconds, `slot` is a slot number.
 *
 * @useDeclaredType
 */
export type Operation = z.infer<typeof operationRecord>;
/** An operation in one state. */
export type OperationIn<S extends OperationState> = Extract<
  Operation,
  {
    /** The state. */
    state: S;
  }
>;
/**
 * Why an operation failed. `instruction` counts from 0: the memo, then the action (SPEC.md section 3).
 *
 * @interface
 */
export type OperationFailure = z.infer<typeof failureRecord>;
