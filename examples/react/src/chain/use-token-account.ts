import { tokenAccountOf } from '@service/sdk';
import type { Address } from '@solana/kit';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useRpc } from './rpc.ts';

const POLL_MS = 4_000;

/** Returns the address of the associated token account of a wallet. It follows from mint and owner, without a call. */
export function useTokenAccountAddress(mint: Address | null, owner: Address | null) {
  return useQuery({
    queryKey: ['tokenAccount', mint, owner],
    queryFn: mint && owner ? () => tokenAccountOf({ mint, owner }) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns what a wallet holds of a mint, in base units; null without a token account. */
export function useTokenBalance(mint: Address, owner: Address) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['tokenBalance', mint, owner],
    queryFn: async ({ signal }) => {
      const config = { encoding: 'jsonParsed', commitment: 'finalized' } as const;
      const { value } = await rpc
        .getTokenAccountsByOwner(owner, { mint }, config)
        .send({ abortSignal: signal });
      const associated = await tokenAccountOf({ mint, owner });
      const found = value.find(({ pubkey }) => pubkey === associated);
      return found ? BigInt(found.account.data.parsed.info.tokenAmount.amount) : null;
    },
    refetchInterval: POLL_MS,
  });
}
