import { standardWallet, type Wallet } from '@service/sdk';
import { getWallets } from '@wallet-standard/app';
import type { Wallet as StandardWallet } from '@wallet-standard/base';
import { StandardConnect, type StandardConnectFeature } from '@wallet-standard/features';
import { useCallback, useEffect, useState } from 'react';

type Connectable = StandardWallet & { readonly features: StandardConnectFeature };

const NEEDED = [StandardConnect, 'solana:signMessage', 'solana:signTransaction'];
const registry = getWallets();
const list = () =>
  registry.get().filter((each): each is Connectable => NEEDED.every((name) => name in each.features));

/** Returns the wallets of the browser, and the one that the person connected. A reload connects it again. */
export function useWallet() {
  const [wallets, setWallets] = useState(list);
  const [wallet, setWallet] = useState<Wallet>();
  useEffect(() => registry.on('register', () => setWallets(list())), []);

  const connect = useCallback(async (chosen: Connectable, options?: { readonly silent: boolean }) => {
    const { accounts } = await chosen.features[StandardConnect].connect(options);
    localStorage.setItem('wallet', chosen.name);
    if (accounts[0]) setWallet(standardWallet(chosen, accounts[0]));
  }, []);

  // A wallet that knows this page connects without a prompt, such as on the way back from the verifier.
  const known = wallets.find(({ name }) => name === localStorage.getItem('wallet'));
  useEffect(() => {
    if (known) connect(known, { silent: true }).catch(() => undefined);
  }, [known, connect]);
  return { wallets, wallet, connect };
}
