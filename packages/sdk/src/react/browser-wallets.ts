/** The wallets of the browser, and the one that the person connected. */
import { getWallets, type Wallets } from '@wallet-standard/app';
import { ServiceError as Failure, isServiceError, type ServiceError } from '../errors.ts';
import { quotedLocal } from '../lib/quoted.ts';
import {
  type StandardWallet,
  type StandardWalletAccount,
  standardWallet,
} from '../wallet/standard-wallet.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** A wallet of the browser that can sign in and sign transactions. */
export interface BrowserWallet extends StandardWallet {
  /** A picture as a data URL. */
  readonly icon: string;
}

/** What the page knows about the person's wallets. It is frozen. */
export interface WalletChoice {
  /** The wallets that can be connected. */
  readonly wallets: readonly BrowserWallet[];
  /** The connected wallet, or null. */
  readonly wallet: Wallet | null;
  /** Whether a wallet is being connected: by the person, or the one of the last visit. */
  readonly isConnecting: boolean;
  /** Whether the page still looks for the wallet of the last visit. Servers render this. */
  readonly isStarting: boolean;
  /** Why no wallet was connected, or null. */
  readonly error: ServiceError | null;
}

/** See {@link createBrowserWallets}. */
export interface BrowserWallets {
  /** Connects a wallet, which may ask the person. Call it in a click. */
  connect(wallet: BrowserWallet): Promise<void>;
  /** Forgets the wallet, so that the person can choose another one. */
  disconnect(): void;
  /** Calls a listener after each change, and returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  /** Returns what is known; the same object until something changes. */
  getSnapshot(): WalletChoice;
  /** Returns what servers render. */
  getServerSnapshot(): WalletChoice;
}

const NEEDED = ['standard:connect', 'solana:signMessage', 'solana:signTransaction'];
/** Where the page keeps the name of the wallet. It is no secret. */
const KEY = 'service:wallet';
/** Milliseconds that the wallet of the last visit has to connect by itself. */
const MOST_START_MS = 2_000;

const NOTHING: WalletChoice = Object.freeze({
  wallets: Object.freeze([]),
  wallet: null,
  isConnecting: false,
  isStarting: true,
  error: null,
});

interface ConnectFeature {
  connect(options?: {
    readonly silent: boolean;
  }): Promise<{ readonly accounts: readonly StandardWalletAccount[] }>;
}
interface EventsFeature {
  on(
    event: 'change',
    listener: (change: { readonly accounts?: readonly StandardWalletAccount[] }) => void,
  ): () => void;
}

/**
 * Returns the wallets of the Wallet Standard in this browser. It connects the wallet of the last visit again, without a
 * prompt, such as when the person comes back from the verifier. Starts with the first subscription.
 */
export function createBrowserWallets(): BrowserWallets {
  let choice = NOTHING;
  let registry: Wallets | undefined;
  let leaveWallet = () => {};
  /** Counts connections, so that a late answer of an earlier one changes nothing. */
  let turn = 0;
  const listeners = new Set<() => void>();

  const change = (next: Partial<WalletChoice>) => {
    choice = Object.freeze({ ...choice, ...next });
    for (const listener of [...listeners]) listener();
  };
  const list = () => {
    const all = (registry?.get() ?? []) as readonly unknown[] as readonly BrowserWallet[];
    return Object.freeze(all.filter(({ features }) => features && NEEDED.every((name) => name in features)));
  };
  const use = (chosen: BrowserWallet, accounts: readonly StandardWalletAccount[]) => {
    const account = accounts[0];
    const wallet = account ? standardWallet(chosen, account) : null;
    change({ wallet, error: null, isConnecting: false, isStarting: false });
  };
  const open = async (chosen: BrowserWallet, silent: boolean) => {
    const own = ++turn;
    const isLate = () => own !== turn;
    change({ isConnecting: true, error: null });
    try {
      const feature = chosen.features['standard:connect'] as ConnectFeature;
      const { accounts } = await feature.connect(silent ? { silent } : undefined);
      if (isLate()) return;
      leaveWallet();
      use(chosen, accounts);
      if (!accounts[0]) {
        if (!silent) throw new Error('it shared no account');
        return;
      }
      remember(chosen.name);
      const events = chosen.features['standard:events'] as EventsFeature | undefined;
      const leave = events?.on('change', (changed) => {
        if (changed.accounts && !isLate()) guarded(() => use(chosen, changed.accounts!));
      });
      leaveWallet = leave ?? (() => {});
    } catch (error) {
      if (isLate()) return;
      const shown = silent ? null : failureOf(chosen, error);
      change({ wallet: null, isConnecting: false, isStarting: false, error: shown });
    }
  };
  /** The wallet calls this function, so an error must not reach the wallet. */
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (error) {
      change({ wallet: null, error: isServiceError(error) ? error : null });
    }
  };
  const onRegister = () => {
    change({ wallets: list() });
    const known =
      choice.isStarting && !choice.isConnecting && choice.wallets.find(({ name }) => name === remembered());
    if (known) void open(known, true);
  };
  const start = () => {
    if (registry) return;
    registry = getWallets();
    registry.on('register', onRegister);
    registry.on('unregister', () => change({ wallets: list() }));
    if (remembered() === null) change({ isStarting: false });
    else setTimeout(() => choice.isStarting && change({ isStarting: false }), MOST_START_MS);
    onRegister();
  };

  return {
    connect: (chosen) => open(chosen, false),
    disconnect() {
      turn += 1;
      leaveWallet();
      leaveWallet = () => {};
      remember(null);
      change({ wallet: null, isConnecting: false, isStarting: false, error: null });
    },
    subscribe(listener) {
      const subscription = () => listener();
      listeners.add(subscription);
      start();
      return () => void listeners.delete(subscription);
    },
    getSnapshot: () => choice,
    getServerSnapshot: () => NOTHING,
  };
}

/** A page that may not store data connects nothing by itself. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(name: string | null): void {
  try {
    if (name === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, name);
  } catch {
    // The person chooses again after a reload.
  }
}

function failureOf(wallet: BrowserWallet, error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const text = error instanceof Error ? quotedLocal(error.message).replace(/[.\s]+$/, '') : '';
  return new Failure('WALLET_REJECTED', {
    message: `${quotedLocal(wallet.name)} did not connect: ${text || 'no reason given'}. Nothing was sent. Choose a wallet again.`,
  });
}
