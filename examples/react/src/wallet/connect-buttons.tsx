import { useMutation } from '@tanstack/react-query';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { useWalletChoice } from './chosen-wallet.tsx';
import type { ConnectableWallet } from './standard-wallets.ts';

interface ConnectButtonsProps {
  /** Takes the focus, because the buttons are gone then. */
  readonly onConnected: () => void;
}

/** A button for each wallet of the browser. */
export function ConnectButtons({ onConnected }: ConnectButtonsProps) {
  const { wallets, connect } = useWalletChoice();
  const connecting = useMutation({
    mutationFn: (wallet: ConnectableWallet) => connect(wallet),
    onSuccess: onConnected,
  });
  return (
    <div className="stack">
      <ul className="plain-list stack">
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <button type="button" className="choice" onClick={() => connecting.mutate(wallet)}>
              <img src={wallet.icon} alt="" width="24" height="24" />
              Connect {wallet.name}
            </button>
          </li>
        ))}
      </ul>
      {wallets.length === 0 && (
        <p>This browser has no wallet that can sign transactions. Install one first.</p>
      )}
      {connecting.error && <ErrorNotice error={connecting.error} />}
    </div>
  );
}
