import type { MintBinding, Passport, RuleSet } from '@service/sdk';
import { fetchBinding, fetchRuleSet } from '@service/sdk/chain';
import { usePassport, useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useQueries } from '@tanstack/react-query';
import { useTokenBalances } from '../../chain/use-token-account.ts';

/** A binding and its rule set. */
interface Bound {
  readonly binding: MintBinding;
  readonly ruleSet: Pick<RuleSet, 'name' | 'creator'>;
}

/** A token whose mint is bound to a rule set. */
export interface BoundToken extends Bound {
  /** What the wallet holds in base units; null without a token account. */
  readonly balance: bigint | null;
}

type Balances = ReadonlyMap<Address, bigint>;

/** Returns the bound tokens of a wallet; undefined until the passport and the balances are known. */
export function useBoundTokens(wallet: Address): readonly BoundToken[] | undefined {
  const { deployment } = useServiceClient();
  const { data: passport } = usePassport({ refetchInterval: 10_000 });
  const { data: balances } = useTokenBalances(wallet);
  const listed = passport && boundIn(passport);
  // The passport lists only the first bindings.
  const unlisted = listed && balances ? heldUnlisted(listed, balances) : [];
  const found = useQueries({
    queries: unlisted.map((mint) => ({
      queryKey: ['bound', mint],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const binding = await fetchBinding({ deployment, mint, signal });
        const ruleSet = binding && (await fetchRuleSet({ deployment, rule: binding.rule, signal }));
        return binding && ruleSet && { binding, ruleSet };
      },
    })),
  });
  if (!listed || !balances) return undefined;
  return tokensOf([...listed, ...found.flatMap(({ data }) => data ?? [])], balances);
}

/** Returns the bindings of a passport with their rule sets. */
export function boundIn({ bindings, ruleSets }: Passport): Bound[] {
  return bindings.flatMap((binding) => {
    const ruleSet = ruleSets.find(({ address }) => address === binding.rule);
    return ruleSet ? [{ binding, ruleSet }] : [];
  });
}

/** Returns the mints of which the wallet holds something, without those that are listed. */
export function heldUnlisted(listed: readonly Bound[], balances: Balances): Address[] {
  const known = new Set(listed.map(({ binding }) => binding.mint));
  return [...balances].flatMap(([mint, amount]) => (amount > 0n && !known.has(mint) ? [mint] : []));
}

/**
 * Returns the tokens that the wallet holds, and those that the creators of the rule sets issue. Anybody can bind a mint to a
 * rule set, so it leaves out what others issue while the wallet holds none of it.
 */
export function tokensOf(bound: readonly Bound[], balances: Balances): BoundToken[] {
  return bound
    .map((each) => ({ ...each, balance: balances.get(each.binding.mint) ?? null }))
    .filter((token) => isByCreator(token) || token.balance);
}

/** Returns whether the creator of the rule set issues the token. */
export function isByCreator({ binding, ruleSet }: Bound): boolean {
  return binding.issuer === ruleSet.creator;
}
