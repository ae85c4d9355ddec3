import type { MintBinding } from '@service/sdk';
import { fetchBinding } from '@service/sdk/chain';
import { usePassport, useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useQueries } from '@tanstack/react-query';
import { useOwnMints } from './own-mints.ts';

/**
 * Returns the bindings of a wallet's mints; undefined until the passport is known. The index of the service can lag behind a
 * write, so the page also asks its own RPC about mints that the passport does not list.
 */
export function useOwnBindings(wallet: Address): readonly MintBinding[] | undefined {
  const { deployment } = useServiceClient();
  const { data: passport } = usePassport();
  const { mints } = useOwnMints(wallet);
  const listed = passport?.bindings.filter(({ issuer }) => issuer === wallet);
  const found = useQueries({
    queries: unlisted(mints, listed ?? []).map((mint) => ({
      queryKey: ['binding', mint],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchBinding({ deployment, mint, signal }),
    })),
  });
  return listed && [...listed, ...found.flatMap(({ data }) => data ?? [])];
}

/** Returns the mints that no binding names. */
export function unlisted(mints: readonly Address[], bindings: readonly MintBinding[]): Address[] {
  return mints.filter((mint) => !bindings.some((binding) => binding.mint === mint));
}
