/** The reasons for which an issuer takes tokens. The program records the code of each: its place in the list, from 1. */
export const REMOVAL_REASONS = [
  'lost-key',
  'court-order',
  'error',
  'sanctions',
  'corporate-action',
  'redemption',
  'other',
] as const;

/** Why an issuer takes tokens (SPEC.md section 2). */
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

/** Returns the code of a reason in the program. */
export function removalCode(reason: RemovalReason): number {
  return REMOVAL_REASONS.indexOf(reason) + 1;
}
