/** What a rule set can let its creator do with passes. */

/** The powers by name. The place of each is its bit on chain. */
export const CREATOR_POWERS = ['suspend', 'grant'] as const;
/** A power of the creator of a rule set (SPEC.md section 2). */
export type CreatorPower = (typeof CREATOR_POWERS)[number];

/** Returns powers as the program stores them: the bit of each. */
export function powerBits(powers: readonly CreatorPower[] = []): number {
  return powers.reduce((bits, power) => bits | (1 << CREATOR_POWERS.indexOf(power)), 0);
}
