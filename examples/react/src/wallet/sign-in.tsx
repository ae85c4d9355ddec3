import { serviceQueryKeys } from '@service/sdk/query';
import { useServiceClient, useSession } from '@service/sdk/react';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { ActionButton } from '../site/action-button.tsx';
import { READY } from '../site/write-status.tsx';
import type { ChosenAccount } from './chosen-wallet.tsx';

export function SignInButton({ account }: { readonly account: ChosenAccount }) {
  const { authenticate } = useSession(account.wallet);
  const ready = useReadySignIn(account);
  return (
    <div className="stack-small">
      <ActionButton
        className="button"
        busy={authenticate.isPending}
        busyText="Signing in…"
        onClick={() => authenticate.mutate(undefined, { onError: () => ready.refetch() })}
      >
        Sign in
      </ActionButton>
      {ready.isSuccess && !ready.isFetching && !authenticate.isPending && (
        <p role="status" className="hint">
          {READY}
        </p>
      )}
      {authenticate.error && <ErrorNotice error={authenticate.error} />}
    </div>
  );
}

/** Fetches the challenge ahead of the click, and again before it gets old, so that the click asks the wallet in its task. */
function useReadySignIn({ address, wallet }: ChosenAccount) {
  const client = useServiceClient();
  const { status } = useSession(wallet);
  return useQuery({
    queryKey: [...serviceQueryKeys(client).wallet(address), 'challenge'],
    queryFn: ({ signal }) => client.prepareSignIn(wallet, client.deployment.genesisHash, { signal }),
    enabled: status === 'signedOut' || status === 'otherWallet',
    // Without it, the click fetches the challenge, and shows why that fails.
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : Math.max(1_000, Number(data) * 1_000 - Date.now()),
  });
}

export function SignOutButton() {
  const { logout } = useSession();
  return (
    <>
      <button type="button" className="button-quiet" onClick={() => logout.mutate()}>
        Sign out
      </button>
      {logout.error && <ErrorNotice error={logout.error} onRetry={() => logout.mutate()} />}
    </>
  );
}
