/** The wallet of the demo. A real dApp leaves this folder out: people bring their own wallets. */
import type { Deployment } from '@service/sdk';
import {
  type DevelopmentWallet,
  type DevelopmentWalletRequest,
  registerDevelopmentWallet,
} from '@service/testing';
import { useSyncExternalStore } from 'react';

/** A request that waits for the person's answer. */
export interface PendingApproval {
  readonly request: DevelopmentWalletRequest;
  answer(approved: boolean): void;
}

let wallet: DevelopmentWallet | null = null;
let pending: PendingApproval | null = null;
const listeners = new Set<() => void>();

function change(next: PendingApproval | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** The wallet shows one request at a time, so one variable is enough. */
function approve(request: DevelopmentWalletRequest): Promise<boolean> {
  return new Promise((resolve) => {
    change({
      request,
      answer(approved) {
        change(null);
        resolve(approved);
      },
    });
  });
}

export async function startDevelopmentWallet(deployment: Deployment): Promise<void> {
  wallet ??= await registerDevelopmentWallet({ deployment, approve });
}

/** Returns the development wallet, or null if it does not have the account: then its faucet cannot be used. */
export function developmentWalletOf(address: string): DevelopmentWallet | null {
  return wallet?.accounts.some((account) => account.address === address) ? wallet : null;
}

/** Returns the name of an account of the development wallet, to show it instead of its address. */
export function nameOf(address: string): string | undefined {
  return wallet?.accounts.find((account) => account.address === address)?.label;
}

export function usePendingApproval(): PendingApproval | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
}
