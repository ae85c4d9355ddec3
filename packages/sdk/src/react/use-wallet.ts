import { useSyncExternalStore } from 'react';
import type { BrowserWallet, WalletChoice } from './browser-wallets.ts';
import { useProvided } from './provider.ts';

/** What {@link useWallet} returns. */
export interface WalletConnection extends WalletChoice {
  /** Connects a wallet of `wallets`, which may ask the person. Call it in a click. */
  readonly connect: (wallet: BrowserWallet) => Promise<void>;
  /** Forgets the wallet, so that the person can choose another one. The session stays: see `useSession`. */
  readonly disconnect: () => void;
}

/**
 * Returns the wallets of the browser and the one that the person connected, which all components below the
 * {@link ServiceProvider} share. A reload connects it again without a prompt.
 *
 * @example
 * function Wallets() {
 *   const { wallets, connect } = useWallet();
 *   return wallets.map((each) => <button key={each.name} onClick={() => connect(each)}>{each.name}</button>);
 * }
 */
export function useWallet(): WalletConnection {
  const { wallets } = useProvided();
  const choice = useSyncExternalStore(wallets.subscribe, wallets.getSnapshot, wallets.getServerSnapshot);
  return { ...choice, connect: wallets.connect, disconnect: wallets.disconnect };
}
