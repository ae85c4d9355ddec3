/** What the chain says of an issue-credential transaction: whether to try again. */
import {
  getRuleSetPassErrorMessage,
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { TransactionError } from '@solana/kit';

/** A transaction that the chain refuses. */
export interface ChainRefusal {
  /** Whether the same statement can never land, however often it is tried. */
  readonly permanent: boolean;
  readonly reason: string;
}

/**
 * Refusals that stand. The times of a statement are not among them: a clock may be behind, and whether it has expired is
 * judged by its own expiry.
 */
const PERMANENT: ReadonlySet<number> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
]);

/** Reads a transaction's error. */
export function chainRefusal(error: TransactionError): ChainRefusal {
  const code = customCode(error);
  if (code === null) return { permanent: false, reason: describe(error) };
  const message =
    getRuleSetPassErrorMessage(code as RuleSetPassError) ?? 'an error that is not the program’s';
  return { permanent: PERMANENT.has(code), reason: `${message} (${code}).` };
}

/** The program's error number; issue-credential comes second, after the ed25519 instruction. */
function customCode(error: TransactionError): number | null {
  if (typeof error !== 'object' || !('InstructionError' in error)) return null;
  const [index, detail] = error.InstructionError;
  return Number(index) === 1 && typeof detail === 'object' && 'Custom' in detail
    ? Number(detail.Custom)
    : null;
}

function describe(error: TransactionError): string {
  return JSON.stringify(error, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
