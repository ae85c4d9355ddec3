/** Queries of what everybody sees, and of the session. */
import type { NetworkConfiguration, RuleSet } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import { serviceQueryKeys } from './keys.ts';
import { retry } from './retry.ts';
import type { ServiceQueryOptions } from './shapes.ts';

/** The most rule sets that a query lists by default. */
const MOST_RULE_SETS = 1_000;

/**
 * Queries the wallet that the service names as signed in, or null: `client.session` (SPEC.md section 5).
 *
 * @example
 * const { data: signedIn } = useQuery(sessionQueryOptions(client));
 */
export function sessionQueryOptions(client: ServiceClient): ServiceQueryOptions<Address | null> {
  return {
    queryKey: serviceQueryKeys(client).session,
    queryFn: ({ signal }) => client.session({ signal }),
    retry,
    staleTime: 60_000,
    enabled: true,
    meta: { personal: true },
  };
}

/** Queries governance, verifiers, circuit, fees in lamports and chain time: `client.network` (SPEC.md section 4). */
export function networkQueryOptions(client: ServiceClient): ServiceQueryOptions<NetworkConfiguration> {
  return {
    queryKey: serviceQueryKeys(client).network,
    queryFn: ({ signal }) => client.network({ signal }),
    retry,
    staleTime: 60_000,
    enabled: true,
    meta: { personal: false },
  };
}

/**
 * Options of {@link ruleSetsQueryOptions}.
 *
 * @inline
 */
export interface RuleSetsQuery {
  /** Records per request, 1 to 500. @default 100 */
  readonly pageSize?: number | undefined;
  /** The most rule sets to fetch. @default 1000 */
  readonly limit?: number | undefined;
}

/** Queries the rule sets as one list, in the order of `client.ruleSets` (SPEC.md section 4). */
export function ruleSetsQueryOptions(
  client: ServiceClient,
  options: RuleSetsQuery = {},
): ServiceQueryOptions<readonly RuleSet[]> {
  const { pageSize, limit = MOST_RULE_SETS } = options;
  return {
    queryKey: [...serviceQueryKeys(client).ruleSets, { limit, ...(pageSize ? { pageSize } : {}) }],
    queryFn: async ({ signal }) => {
      const list: RuleSet[] = [];
      if (limit < 1) return list;
      for await (const ruleSet of client.ruleSets({ signal, ...(pageSize ? { pageSize } : {}) })) {
        list.push(ruleSet);
        if (list.length >= limit) break;
      }
      return list;
    },
    retry,
    staleTime: 30_000,
    enabled: true,
    meta: { personal: false },
  };
}
