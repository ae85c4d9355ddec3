import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { useRpc } from './rpc.ts';

const POLL_MS = 4_000;

/** Returns the balance of a wallet in lamports. */
export function useBalance(wallet: Address) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['balance', wallet],
    queryFn: async ({ signal }) => {
      const { value } = await rpc
        .getBalance(wallet, { commitment: 'finalized' })
        .send({ abortSignal: signal });
      // The cache compares data as JSON, which has no branded bigint.
      return BigInt(value);
    },
    refetchInterval: POLL_MS,
  });
}
