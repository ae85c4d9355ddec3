import type { Address } from '@solana/kit';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useRpc } from '../chain/rpc.ts';
import type { TokenAccountState } from './gated-mint.ts';

/** The holder thaws the account on another page. */
const POLL_MS = 4_000;

/** Returns the state of a token account, at finalized commitment. */
export function useTokenAccountState(token: Address | undefined) {
  const rpc = useRpc();
  return useQuery({
    queryKey: ['tokenAccountState', token],
    queryFn: token
      ? async ({ signal }): Promise<TokenAccountState> => {
          const config = { encoding: 'jsonParsed', commitment: 'finalized' } as const;
          const { value } = await rpc.getAccountInfo(token, config).send({ abortSignal: signal });
          if (!value) return 'missing';
          const info = 'parsed' in value.data ? value.data.parsed.info : undefined;
          return (info as { state?: string } | undefined)?.state === 'initialized' ? 'thawed' : 'frozen';
        }
      : skipToken,
    refetchInterval: POLL_MS,
  });
}
