import type { Intent } from '../plans/intent.ts';

/**
 * The compute limit of a transaction with a priority fee, in compute units. It covers what the program's README lists, the
 * memo program of clusters (18,000), the guards of a wallet (17,000) and addresses with many bumps. The fee is the price of
 * the limit, so a higher one would cost more.
 */
export const COMPUTE_UNIT_LIMITS: Readonly<Record<Intent['kind'], number>> = {
  CREATE_RULE_SET: 60_000,
  BIND_MINT: 60_000,
  PROVE: 160_000,
  ISSUE: 60_000,
  TRANSFER: 120_000,
  RECOVER: 60_000,
  REDEEM: 60_000,
  SUSPEND: 60_000,
  GRANT: 60_000,
};
