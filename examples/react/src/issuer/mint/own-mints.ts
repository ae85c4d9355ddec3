import { isServiceError } from '@service/sdk';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRpc } from '../../chain/rpc.ts';
import { idOf } from '../../deployment.ts';
import { createKeptList } from '../../site/store.ts';

interface KeptMint {
  readonly mint: Address;
  readonly wallet: Address;
  /** As `idOf` returns it. */
  readonly deployment: string;
  /** Unix milliseconds. */
  readonly keptAt: number;
}

const POLL_MS = 2_000;
/** Within this time, a transaction lands or its blockhash expires. */
const MOST_WAIT_MS = 180_000;

const bindableMints = createKeptList<KeptMint>('mints');
/** Those without a hook, which no one can bind. */
export const gatedMints = createKeptList<KeptMint>('gatedMints');

/**
 * Keeps the mints that a wallet creates here, from before the wallet signs, so that a page load loses none: until a mint is
 * bound, no record of the service names it.
 */
export function useOwnMints(wallet: Address, stored = bindableMints) {
  const deployment = idOf(useServiceClient().deployment);
  const rpc = useRpc();
  const kept = stored.use().filter((each) => each.wallet === wallet && each.deployment === deployment);
  const addresses = kept.map(({ mint }) => mint);
  const underWay = (found: readonly Address[]) =>
    kept.filter(({ mint, keptAt }) => !found.includes(mint) && keptAt > Date.now() - MOST_WAIT_MS);
  const { data: onChain = [], refetch } = useQuery({
    queryKey: ['mintsOnChain', addresses],
    enabled: kept.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const options = {
        commitment: 'finalized',
        encoding: 'base64',
        dataSlice: { offset: 0, length: 0 },
      } as const;
      const { value } = await rpc.getMultipleAccounts(addresses, options).send({ abortSignal: signal });
      return addresses.filter((_, i) => value[i]);
    },
    refetchInterval: ({ state }) => (underWay(state.data ?? []).length > 0 ? POLL_MS : false),
  });
  return {
    /** Mints on chain, the newest first. */
    mints: onChain,
    /** Whether a mint may still come on chain. */
    isCreating: underWay(onChain).length > 0,
    keep: (mint: Address) =>
      stored.change((all) => [{ mint, wallet, deployment, keptAt: Date.now() }, ...all]),
    /** Forgets a mint whose transaction was not sent, or failed on chain. */
    forget: (mint: Address, error: unknown) => {
      if (isServiceError(error, 'TRANSACTION_FAILED') && error.context.isFinal === false) return;
      stored.change((all) => all.filter((each) => each.mint !== mint));
    },
    refetch,
  };
}

export type OwnMints = ReturnType<typeof useOwnMints>;
