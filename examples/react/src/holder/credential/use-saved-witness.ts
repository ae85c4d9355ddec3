import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { get, set } from 'idb-keyval';
import { idOf } from '../../deployment.ts';

/**
 * Returns the saved witness of a wallet in this browser, and a function that replaces it. IndexedDB has the text of
 * `saveWitness`, which nobody can read without the passphrase.
 */
export function useSavedWitness(wallet: Address) {
  const { deployment } = useServiceClient();
  const key = `witness ${idOf(deployment)} ${wallet}`;
  const { data: saved, refetch } = useQuery({
    queryKey: ['savedWitness', key],
    // TanStack Query accepts no undefined.
    queryFn: async () => (await get<string>(key)) ?? null,
  });
  const save = async (text: string) => {
    await set(key, text);
    await refetch();
  };
  return { saved: saved ?? null, save };
}
