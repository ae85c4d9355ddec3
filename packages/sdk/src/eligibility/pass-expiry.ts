import { invalidArgument } from '../lib/check-arguments.ts';

/**
 * The facts that limit the expiry of a pass. A ProofContext has them. Times are in Unix seconds (SPEC.md section 4).
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
 * @throws ServiceError INVALID_ARGUMENT if one of the facts is not a bigint
 * @example
 * const facts = await client.proofContext({ rule });
 * const expiresAt = latestPassExpiry(facts);
 */
export function latestPassExpiry(facts: PassExpiryFacts): bigint {
  const times = {
    chainTime: facts?.chainTime,
    'ruleSet.maxPassAgeSeconds': facts?.ruleSet?.maxPassAgeSeconds,
    'credential.expiresAt': facts?.credential?.expiresAt,
  };
  for (const [field, value] of Object.entries(times)) {
    if (typeof value === 'bigint') continue;
    throw invalidArgument(
      `facts.${field}`,
      `facts.${field} must be a bigint. Pass what client.proofContext returns.`,
    );
  }
  const byRule = facts.chainTime + facts.ruleSet.maxPassAgeSeconds;
  return byRule < facts.credential.expiresAt ? byRule : facts.credential.expiresAt;
}
