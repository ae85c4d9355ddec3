import { standardWallet, type Wallet } from '@service/sdk';
import type { WalletAccount } from '@wallet-standard/base';
import { StandardConnect } from '@wallet-standard/features';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { local } from '../site/storage.ts';
import { type ConnectableWallet, useStandardWallets } from './standard-wallets.ts';

/** The account that the person chose. `wallet` signs for it. */
export interface ChosenAccount {
  readonly name: string;
  readonly address: Wallet['address'];
  readonly wallet: Wallet;
}

export interface WalletChoice {
  readonly wallets: readonly ConnectableWallet[];
  /** The connected wallet; null if there is none. */
  readonly connected: ConnectableWallet | null;
  readonly chosen: ChosenAccount | null;
  /** Whether the connected wallet has not yet returned its accounts, as after a reload. */
  readonly isConnecting: boolean;
  connect(wallet: ConnectableWallet, address?: Wallet['address']): Promise<void>;
  choose(account: WalletAccount): void;
  disconnect(): void;
}

const Context = createContext<WalletChoice | null>(null);
const KEY = 'wallet';

export function WalletProvider({ children }: { readonly children: ReactNode }) {
  const wallets = useStandardWallets();
  const [kept, setKept] = useState(readKept);
  const [asked, setAsked] = useState<ConnectableWallet | null>(null);
  const connected = wallets.find(({ name }) => name === kept?.name) ?? null;
  const account =
    connected?.accounts.find(({ address }) => address === kept?.address) ?? connected?.accounts[0];

  // After a reload, a wallet that knows this site connects again without asking the person.
  useEffect(() => {
    if (connected && connected.accounts.length === 0) {
      const connecting = connected.features[StandardConnect].connect({ silent: true });
      connecting.catch(() => undefined).then(() => setAsked(connected));
    }
  }, [connected]);

  const keep = (choice: Kept | null) => {
    if (choice) local.setItem(KEY, JSON.stringify(choice));
    else local.removeItem(KEY);
    setKept(choice);
  };
  const chosen = useMemo(
    () => (connected && account ? chosenAccount(connected, account) : null),
    [connected, account],
  );
  const choice: WalletChoice = {
    wallets,
    connected,
    chosen,
    isConnecting: connected !== null && connected !== asked && !account,
    async connect(wallet, address) {
      const { accounts } = await wallet.features[StandardConnect].connect();
      keep({ name: wallet.name, address: address ?? accounts[0]?.address });
    },
    choose: ({ address }) => keep({ name: connected!.name, address }),
    disconnect: () => keep(null),
  };
  return <Context value={choice}>{children}</Context>;
}

export function useWalletChoice(): WalletChoice {
  const choice = useContext(Context);
  if (!choice) throw new Error('useWalletChoice needs a WalletProvider above it.');
  return choice;
}

/** An account that cannot sign here, such as one of another chain, counts as none. */
function chosenAccount(connected: ConnectableWallet, account: WalletAccount): ChosenAccount | null {
  try {
    const wallet = standardWallet(connected, account);
    return { name: account.label ?? connected.name, address: wallet.address, wallet };
  } catch {
    return null;
  }
}

interface Kept {
  readonly name: string;
  readonly address: string | undefined;
}

function readKept(): Kept | null {
  try {
    return JSON.parse(local.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}
