import { tokenAccountOf } from '@service/sdk';
import type { Address } from '@solana/kit';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useRpc } from './rpc.ts';
import { TOKEN_2022_PROGRAM } from './token-program.ts';

const POLL_MS = 4_000;

/** Returns the address of the associated token account of a wallet. It follows from mint and owner, without a call. */
export function useTokenAccountAddress(mint: Address | null, owner: Address | null) {
  return useQuery({
    queryKey: ['tokenAccount', mint, owner],
    queryFn: mint && owner ? () => tokenAccountOf({ mint, owner }) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the owner of a token account, from the page's own RPC; null if it is no token account. */
export function useTokenAccountOwner(tokenAccount: Address | null) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['tokenAccountOwner', tokenAccount],
    queryFn: tokenAccount
      ? async ({ signal }): Promise<Address | null> => {
          const config = { encoding: 'jsonParsed', commitment: 'finalized' } as const;
          const { value } = await rpc.getAccountInfo(tokenAccount, config).send({ abortSignal: signal });
          const info = value && 'parsed' in value.data ? value.data.parsed.info : undefined;
          return (info as { owner?: Address } | undefined)?.owner ?? null;
        }
      : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns what a wallet holds in its associated token accounts, by mint, in base units. */
export function useTokenBalances(owner: Address) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['tokenBalances', owner],
    queryFn: async ({ signal }) => {
      const config = { encoding: 'jsonParsed', commitment: 'finalized' } as const;
      const { value } = await rpc
        .getTokenAccountsByOwner(owner, { programId: TOKEN_2022_PROGRAM }, config)
        .send({ abortSignal: signal });
      const balances = new Map<Address, bigint>();
      for (const { pubkey, account } of value) {
        const { mint, tokenAmount } = account.data.parsed.info;
        const associated = await tokenAccountOf({ mint, owner });
        if (pubkey === associated) balances.set(mint, BigInt(tokenAmount.amount));
      }
      return balances;
    },
    refetchInterval: POLL_MS,
  });
}
