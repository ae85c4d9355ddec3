import { isServiceError } from '@service/sdk';
import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRpc } from '../../chain/rpc.ts';

interface KeptMint {
  readonly mint: Address;
  /** Unix milliseconds. */
  readonly keptAt: number;
}

const MOST_KEPT = 50;
const POLL_MS = 2_000;
/** Within this time, a transaction lands or its blockhash expires. */
const MOST_WAIT_MS = 180_000;

/**
 * Keeps the mints that a wallet creates here, from before the wallet signs, so that a page load loses none: until a mint is
 * bound, no record of the service names it.
 */
export function useOwnMints(wallet: Address) {
  const key = `mints:${wallet}`;
  const rpc = useRpc();
  const [kept, setKept] = useState(() => read(key));
  // Calls that began before the last change must not undo it.
  const change = (to: (kept: readonly KeptMint[]) => readonly KeptMint[]) => {
    const next = to(read(key)).slice(0, MOST_KEPT);
    localStorage.setItem(key, JSON.stringify(next));
    setKept(next);
  };
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
    keep: (mint: Address) => change((all) => [{ mint, keptAt: Date.now() }, ...all]),
    /** Forgets a mint whose transaction was not sent, or failed on chain. */
    forget: (mint: Address, error: unknown) => {
      if (isServiceError(error, 'TRANSACTION_FAILED') && error.context.isFinal === false) return;
      change((all) => all.filter((each) => each.mint !== mint));
    },
    refetch,
  };
}

export type OwnMints = ReturnType<typeof useOwnMints>;

function read(key: string): readonly KeptMint[] {
  return JSON.parse(localStorage.getItem(key) ?? '[]');
}
