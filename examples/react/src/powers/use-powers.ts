import { fetchPowers } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';

/** Returns who has which power over a mint, from the page's own RPC. */
export function usePowers(mint: Address) {
  const { deployment } = useServiceClient();
  return useQuery({
    queryKey: ['powers', mint],
    queryFn: ({ signal }) => fetchPowers({ deployment, mint, signal }),
  });
}
