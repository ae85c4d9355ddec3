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

/** Why an issuer takes tokens. */
export type RemovalReason = (typeof REMOVAL_REASONS)[number];
