import { serviceQueryKeys } from '@service/sdk/query';
import { useServiceClient, useSession } from '@service/sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { type ChosenAccount, useWalletChoice } from './chosen-wallet.tsx';
import { ConnectButtons } from './connect-buttons.tsx';
import { SignInButton } from './sign-in.tsx';

interface SignedInProps {
  /** Renders the page for the signed-in account. */
  readonly children: (account: ChosenAccount) => ReactNode;
  /** What a person can do here after the sign-in, as a whole sentence. */
  readonly purpose: string;
}

/** Shows its content to a signed-in person, and the way there to everybody else. */
export function SignedIn({ children, purpose }: SignedInProps) {
  const { chosen, isConnecting } = useWalletChoice();
  const { status, error } = useSession(chosen?.wallet);
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const card = useRef<HTMLElement>(null);
  if (chosen && status === 'signedIn') return children(chosen);
  if (isConnecting || (chosen && status === 'loading'))
    return <p role="status">Checking who is signed in…</p>;
  const retry = () => queryClient.invalidateQueries({ queryKey: serviceQueryKeys(client).session });
  return (
    <section ref={card} tabIndex={-1} className="card stack" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{chosen ? `Sign in as ${chosen.name}` : 'Connect a wallet'}</h2>
      <p>{purpose}</p>
      {chosen && status === 'otherWallet' && (
        <p className="notice">Another account is signed in. A session belongs to one account.</p>
      )}
      {chosen && error && <ErrorNotice error={error} onRetry={retry} />}
      {chosen ? (
        <>
          <p className="hint">Your wallet signs a message. It costs nothing and changes nothing.</p>
          <SignInButton account={chosen} />
        </>
      ) : (
        <ConnectButtons onConnected={() => card.current?.focus()} />
      )}
    </section>
  );
}
