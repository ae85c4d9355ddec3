/** The kinds and states of operations, and the only transitions between states (SPEC.md section 3). */

/** The operation kinds (SPEC.md section 4). */
export const OPERATION_KINDS = [
  'CREATE_RULE_SET',
  'BIND_MINT',
  'PROVE',
  'ISSUE',
  'TRANSFER',
  'RECOVER',
  'REDEEM',
  'SUSPEND',
  'GRANT',
] as const;
/**
 * The kind of an operation (SPEC.md section 3).
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

/** Every allowed transition; a state never changes in another way. */
export const OPERATION_TRANSITIONS = {
  DRAFT: ['EXPIRED', 'QUEUED'],
  EXPIRED: [],
  QUEUED: ['SUBMITTED'],
  SUBMITTED: ['FINALIZED', 'FAILED', 'UNRESOLVED'],
  UNRESOLVED: ['FINALIZED', 'FAILED'],
  FINALIZED: [],
  FAILED: [],
} as const satisfies Record<OperationState, readonly OperationState[]>;

/** States of a signed operation without a final result. A wallet has at most one such operation. */
export const PENDING_STATES = [
  'QUEUED',
  'SUBMITTED',
  'UNRESOLVED',
] as const satisfies readonly OperationState[];

/** Returns whether a state is final: no transition leaves it. */
export function isFinal(state: OperationState): boolean {
  return OPERATION_TRANSITIONS[state].length === 0;
}
