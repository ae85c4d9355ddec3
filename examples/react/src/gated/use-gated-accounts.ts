import { fetchGatedAccounts } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';

/** The end of a pass changes what anybody can do, without any transaction. */
const POLL_MS = 4_000;

/** Returns the token accounts of a gated mint, from the page's own RPC. */
export function useGatedAccounts(mint: Address) {
  const { deployment } = useServiceClient();
  return useQuery({
    queryKey: ['gatedAccounts', mint],
    queryFn: async ({ signal }) => (await fetchGatedAccounts({ deployment, mint, signal })).accounts,
    refetchInterval: POLL_MS,
  });
}
