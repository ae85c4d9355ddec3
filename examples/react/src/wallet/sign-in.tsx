import { useSession } from '@service/sdk/react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ChosenAccount } from './chosen-wallet.tsx';

export function SignInButton({ account }: { readonly account: ChosenAccount }) {
  const { authenticate } = useSession(account.wallet);
  return (
    <div className="stack-small">
      <button
        type="button"
        className="button"
        disabled={authenticate.isPending}
        onClick={() => authenticate.mutate()}
      >
        {authenticate.isPending ? 'Signing in…' : 'Sign in'}
      </button>
      {authenticate.error && <ErrorNotice error={authenticate.error} />}
    </div>
  );
}

export function SignOutButton() {
  const { logout } = useSession();
  return (
    <button type="button" className="button-quiet" onClick={() => logout.mutate()}>
      Sign out
    </button>
  );
}
