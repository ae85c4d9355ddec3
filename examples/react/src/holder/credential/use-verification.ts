import type { Wallet } from '@service/sdk';
import { fetchCredential } from '@service/sdk/chain';
import { serviceQueryKeys } from '@service/sdk/query';
import { usePassport, useServiceClient, useStartVerification } from '@service/sdk/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isOnItsWay } from './is-on-its-way.ts';
import { useHeldWitness } from './witness.tsx';

type WalletAddress = Wallet['address'];

const keyOf = (wallet: WalletAddress) => `verification:${wallet}`;

/** Sends the person to the verifier. They come back to the holder page. */
export function useGetVerified(wallet: WalletAddress) {
  const { deployment } = useServiceClient();
  const start = useStartVerification();
  return useMutation({
    mutationKey: ['getVerified'],
    mutationFn: async () => {
      // A person who verifies again has a credential already. On the way back the page waits for a later one.
      const old = await fetchCredential({ deployment, wallet });
      const { url } = await start.mutateAsync({ returnUrl: `${location.origin}/holder` });
      sessionStorage.setItem(keyOf(wallet), String(old?.issuedAt ?? -1n));
      location.assign(url);
    },
  });
}

/** Waits for the credential of a person who was verified. The witness belongs to that credential only. */
export function useCredentialOnItsWay(wallet: WalletAddress) {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { isNew, afterCredential } = useHeldWitness();
  const { data: passport } = usePassport();
  const kept = sessionStorage.getItem(keyOf(wallet));
  return useQuery({
    queryKey: ['credentialOnItsWay', wallet, kept],
    enabled: kept !== null && isOnItsWay(isNew, passport?.verification?.state),
    retry: false,
    queryFn: async ({ signal }) => {
      const credential = await client.waitForCredential({ issuedAfter: BigInt(kept ?? -1), signal });
      await queryClient.invalidateQueries({ queryKey: serviceQueryKeys(client).wallet(wallet) });
      sessionStorage.removeItem(keyOf(wallet));
      afterCredential();
      return credential;
    },
  });
}
