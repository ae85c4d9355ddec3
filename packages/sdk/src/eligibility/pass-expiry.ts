/**
 * The facts that limit the expiry of a pass. A ProofContext has them. Times are in Unix seconds (SPEC.md section 4).
 *
 * @inline
 */
export interface PassExpiryFacts {
  /** The chain time, in Unix seconds. */
  readonly chainTime: bigint;
  /** The rule set. */
  readonly ruleSet: {
    /** Longest life of a pass, in seconds. */
    readonly maxPassAgeSeconds: bigint;
  };
  /** The credential. */
  readonly credential: {
    /** Unix seconds. */
    readonly expiresAt: bigint;
  };
}

/**
 * Returns the latest `expiresAt` that a pass can have now, in Unix seconds: the chain time plus the rule set's longest
 * pass age, but not later than the expiry of the credential (SPEC.md section 4).
 *
 * @example
 * const facts = await client.proofContext({ rule });
 * const expiresAt = latestPassExpiry(facts);
 */
export function latestPassExpiry(facts: PassExpiryFacts): bigint {
  const byRule = facts.chainTime + facts.ruleSet.maxPassAgeSeconds;
  return byRule < facts.credential.expiresAt ? byRule : facts.credential.expiresAt;
}
