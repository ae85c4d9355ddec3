/** What a rule set can let its creator do with passes. */

/** The powers by name. The place of each is its bit on chain. */
export const CREATOR_POWERS = ['suspend', 'grant'] as const;
/** A power of the creator of a rule set (SPEC.md section 2). */
export type CreatorPower = (typeof CREATOR_POWERS)[number];
