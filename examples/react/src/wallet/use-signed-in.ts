import { useSession } from '@service/sdk/react';
import { type ChosenAccount, useWalletChoice } from './chosen-wallet.tsx';

/** Returns the chosen account if it is the one that is signed in, and null otherwise. A session belongs to one wallet. */
export function useSignedIn(): ChosenAccount | null {
  const { chosen } = useWalletChoice();
  const { status } = useSession(chosen?.wallet);
  return status === 'signedIn' ? chosen : null;
}
