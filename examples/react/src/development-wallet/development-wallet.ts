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

function approve(request: DevelopmentWalletRequest): Promise<boolean> {
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

/** Returns the development wallet, or null if it does not have the account: then its faucet cannot be used. */
export function developmentWalletOf(address: string): DevelopmentWallet | null {
  return wallet?.accounts.some((account) => account.address === address) ? wallet : null;
}

/** Returns the name of an account of the development wallet, to show it instead of its address. */
export function nameOf(address: string): string | undefined {
  return wallet?.accounts.find((account) => account.address === address)?.label;
}

export const usePendingApproval = pending.use;
