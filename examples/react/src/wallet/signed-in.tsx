import { type ReactNode, useRef } from 'react';
import { type ChosenAccount, useWalletChoice } from './chosen-wallet.tsx';
import { ConnectButtons } from './connect-buttons.tsx';
import { SignInButton } from './sign-in.tsx';
import { useSignedIn } from './use-signed-in.ts';

interface SignedInProps {
  /** Renders the page for the signed-in account. */
  readonly children: (account: ChosenAccount) => ReactNode;
  /** What a person can do here after the sign-in, as a whole sentence. */
  readonly purpose: string;
}

/** Shows its content to a signed-in person, and the way there to everybody else. */
export function SignedIn({ children, purpose }: SignedInProps) {
  const { chosen } = useWalletChoice();
  const signedIn = useSignedIn();
  const card = useRef<HTMLElement>(null);
  if (signedIn) return children(signedIn);
  return (
    <section ref={card} tabIndex={-1} className="card stack" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{chosen ? `Sign in as ${chosen.name}` : 'Connect a wallet'}</h2>
      <p>{purpose}</p>
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
