import { fetchMint } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { skipToken, useQuery } from '@tanstack/react-query';

/** Returns name, symbol, decimals and supply of a mint, from the page's own RPC. */
export function useMint(mint: Address | null) {
  const { deployment } = useServiceClient();
  return useQuery({
    queryKey: ['mint', mint],
    queryFn: mint ? ({ signal }) => fetchMint({ deployment, mint, signal }) : skipToken,
  });
}
