import { getWallets } from '@wallet-standard/app';
import type { Wallet as StandardWallet } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { createStore } from '../site/store.ts';

/** The service broadcasts, so a wallet must sign transactions without sending them. */
const REQUIRED = [StandardConnect, 'solana:signTransaction'] as const;

export type ConnectableWallet = StandardWallet & { readonly features: StandardConnectFeature };

const registry = getWallets();
const isConnectable = (wallet: StandardWallet): wallet is ConnectableWallet =>
  REQUIRED.every((feature) => feature in wallet.features);

// A new list after each change, because React compares the lists by identity.
const wallets = createStore<readonly ConnectableWallet[]>([]);
const followed = new Set<StandardWallet>();

function refresh(): void {
  const connectable = registry.get().filter(isConnectable);
  for (const wallet of connectable) follow(wallet);
  wallets.set(connectable);
}

/** A wallet reports new accounts in this way, and the person's change of the account. */
function follow(wallet: StandardWallet): void {
  if (followed.has(wallet) || !(StandardEvents in wallet.features)) return;
  followed.add(wallet);
  const { [StandardEvents]: events } = wallet.features as unknown as StandardEventsFeature;
  events.on('change', refresh);
}

registry.on('register', refresh);
registry.on('unregister', refresh);
refresh();

/** Returns the wallets of this browser that can be used here: extensions and the development wallet. */
export const useStandardWallets = wallets.use;
