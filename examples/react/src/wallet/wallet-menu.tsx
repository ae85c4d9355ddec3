import { useSession } from '@service/sdk/react';
import { useRef } from 'react';
import { AccountList } from './account-list.tsx';
import { useWalletChoice } from './chosen-wallet.tsx';
import { ConnectButtons } from './connect-buttons.tsx';
import { SignInButton, SignOutButton } from './sign-in.tsx';

const ID = 'wallet-menu';

export function WalletMenu() {
  const { connected, chosen, disconnect } = useWalletChoice();
  const { status } = useSession(chosen?.wallet);
  const isSignedIn = chosen !== null && status === 'signedIn';
  const menu = useRef<HTMLDivElement>(null);
  return (
    <div>
      <button type="button" className="wallet-button" popoverTarget={ID}>
        {chosen ? (
          <>
            <span className="visually-hidden">Wallet: </span>
            <span>{chosen.name}</span>
            <span className={isSignedIn ? 'badge badge-good' : 'badge'}>
              {isSignedIn ? 'signed in' : status === 'loading' ? '…' : 'not signed in'}
            </span>
          </>
        ) : (
          'Connect wallet'
        )}
      </button>
      <div
        id={ID}
        ref={menu}
        popover="auto"
        tabIndex={-1}
        className="popover stack"
        role="dialog"
        aria-label="Wallet"
      >
        {connected && chosen ? (
          <>
            <AccountList />
            <div className="row">
              {isSignedIn ? <SignOutButton /> : <SignInButton account={chosen} />}
              <button type="button" className="button-quiet" onClick={disconnect}>
                Use another wallet
              </button>
            </div>
          </>
        ) : (
          <ConnectButtons onConnected={() => menu.current?.focus()} />
        )}
      </div>
    </div>
  );
}
