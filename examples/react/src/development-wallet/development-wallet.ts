/** The wallet of the demo. A real dApp leaves this folder out: people bring their own wallets. */
import type { Deployment } from '@service/sdk';
import {
  type DevelopmentWallet,
  type DevelopmentWalletRequest,
  registerDevelopmentWallet,
} from '@service/testing';
import { local } from '../site/storage.ts';
import { createStore } from '../site/store.ts';

/** A request that waits for the person's answer. */
export interface PendingApproval {
  readonly request: DevelopmentWalletRequest;
  answer(approved: boolean): void;
}

let wallet: DevelopmentWallet | null = null;
/** The wallet shows one request at a time. */
const pending = createStore<PendingApproval | null>(null);

/** Called for each approval while the story plays. The wallet then asks nobody. */
let onApproval: (() => void) | null = null;

function approve(request: DevelopmentWalletRequest): Promise<boolean> {
  if (onApproval) {
    onApproval();
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    pending.set({
      request,
      answer(approved) {
        pending.set(null);
        resolve(approved);
      },
    });
  });
}

export async function startDevelopmentWallet(deployment: Deployment): Promise<void> {
  wallet ??= await registerDevelopmentWallet({ deployment, approve, storage: local });
}

/** Lets the wallet approve by itself until the signal aborts. */
export function approveByItself(signal: AbortSignal, onEach: () => void): void {
  onApproval = onEach;
  signal.addEventListener('abort', () => {
    if (onApproval === onEach) onApproval = null;
  });
}

/** Returns the development wallet. */
export function developmentWallet(): DevelopmentWallet {
  if (!wallet) throw new Error('The development wallet is not registered yet.');
  return wallet;
}

/** Returns the development wallet, or null if it does not have the account: then its faucet cannot be used. */
export function developmentWalletOf(address: string): DevelopmentWallet | null {
  return wallet?.accounts.some((account) => account.address === address) ? wallet : null;
}

/** Returns the name of an account of the development wallet, to show it instead of its address. */
export function nameOf(address: string): string | undefined {
  return wallet?.accounts.find((account) => account.address === address)?.label;
}

export const usePendingApproval = pending.use;
