import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { useRpc } from './rpc.ts';

/** Returns the decimals and the supply of a mint, at finalized commitment. */
export function useMint(mint: Address | null) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['mint', mint],
    enabled: mint !== null,
    queryFn: async ({ signal }) => {
      const config = { commitment: 'finalized' } as const;
      const { value } = await rpc.getTokenSupply(mint!, config).send({ abortSignal: signal });
      return { decimals: value.decimals, supply: BigInt(value.amount) };
    },
  });
}
