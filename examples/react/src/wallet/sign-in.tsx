import { useSession } from '@service/sdk/react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { ActionButton } from '../site/action-button.tsx';
import type { ChosenAccount } from './chosen-wallet.tsx';

export function SignInButton({ account }: { readonly account: ChosenAccount }) {
  const { authenticate } = useSession(account.wallet);
  return (
    <div className="stack-small">
      <ActionButton
        className="button"
        busy={authenticate.isPending}
        busyText="Signing in…"
        onClick={() => authenticate.mutate()}
      >
        Sign in
      </ActionButton>
      {authenticate.error && <ErrorNotice error={authenticate.error} />}
    </div>
  );
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
