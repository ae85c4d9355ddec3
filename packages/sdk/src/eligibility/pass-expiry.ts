/** The times that a pass may have. */

/**
 * What decides how late a pass can expire; a ProofContext is one. Times in Unix seconds (SPEC.md section 4).
 *
 * @inline
 */
export interface PassExpiryFacts {
  /** Unix seconds, by the chain. */
  readonly chainTime: bigint;
  /** Of it, how long a pass may live, in seconds. */
  readonly ruleSet: {
    /** Seconds. */
    readonly maxPassAgeSeconds: bigint;
  };
  /** Of it, when it expires, in Unix seconds. */
  readonly credential: {
    /** Unix seconds. */
    readonly expiresAt: bigint;
  };
}

/**
 * The latest `expiresAt` that a pass proved now can have, in Unix seconds: the rule set's longest pass age from the
 * chain time on, but no later than the credential expires (SPEC.md section 4).
 *
 * @example
 * const facts = await client.proofContext({ rule });
 * const expiresAt = latestPassExpiry(facts);
 */
export function latestPassExpiry(facts: PassExpiryFacts): bigint {
  const byRule = facts.chainTime + facts.ruleSet.maxPassAgeSeconds;
  return byRule < facts.credential.expiresAt ? byRule : facts.credential.expiresAt;
}
