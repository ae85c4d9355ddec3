/** The session: who is signed in, and how to sign in and out. */

import type { SignedIn } from '@service/contract';
import type { Address } from '@solana/kit';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ServiceError } from '../errors.ts';
import { authenticateMutationOptions, logoutMutationOptions } from '../query/mutations.ts';
import { sessionQueryOptions } from '../query/read-queries.ts';
import { invalidateAfter } from '../query/stale-after.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { useServiceClient, useSnapshot } from './provider.ts';

/** What {@link useSession} returns. */
export interface Session {
  /** The signed-in wallet, or null. */
  readonly wallet: Address | null;
  /**
   * `loading` until the service has said who is signed in, which is also what a server renders; `otherWallet` if another
   * wallet is signed in than the one that was passed; `error` if the service did not answer.
   */
  readonly status: 'loading' | 'signedOut' | 'signedIn' | 'otherWallet' | 'error';
  /** The error of the question who is signed in. */
  readonly error: ServiceError | null;
  /** Signs the passed wallet in. */
  readonly authenticate: UseMutationResult<SignedIn, ServiceError, void>;
  /** Ends the session. */
  readonly logout: UseMutationResult<void, ServiceError, void>;
}

/**
 * Returns who is signed in, and signs in and out. Asks the service once, without the wallet (SPEC.md section 5).
 *
 * @example
 * function SignIn() {
 *   const { status, authenticate } = useSession(wallet);
 *   return status === 'signedIn' ? null : <button onClick={() => authenticate.mutate()}>Sign in</button>;
 * }
 */
export function useSession(wallet?: Wallet | null): Session {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { address, isPending, error } = useSignedIn();
  const authenticate = useMutation({
    ...authenticateMutationOptions(client, wallet),
    onSettled: () => void invalidateAfter(queryClient, client, 'authenticate', wallet?.address),
  });
  const logout = useMutation({
    ...logoutMutationOptions(client),
    onSettled: () => void invalidateAfter(queryClient, client, 'logout', address),
  });
  const status = address
    ? wallet && wallet.address !== address
      ? 'otherWallet'
      : 'signedIn'
    : isPending
      ? 'loading'
      : error
        ? 'error'
        : 'signedOut';
  return { wallet: address, status, error, authenticate, logout };
}

/** Returns the signed-in wallet of the snapshot, and asks the service for it after a page load. */
export function useSignedIn() {
  const { wallet: address } = useSnapshot();
  const { isPending, error } = useQuery(sessionQueryOptions(useServiceClient()));
  return { address, isPending, error };
}
