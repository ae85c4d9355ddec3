/** Keeps operations over a reload. Once signed bytes are sent, only the chain knows the outcome. */
import type { Operation, ServiceClient } from '@service/sdk';
import type { Signature } from '@solana/kit';
import { useSyncExternalStore } from 'react';

/** An operation that was signed in this browser. */
export interface KeptOperation {
  readonly operationId: string;
  readonly wallet: Operation['wallet'];
  readonly kind: Operation['kind'];
  /** The SDK then accepts no other transaction as the operation. */
  readonly signature: Signature;
  /** Null until its end is proven. */
  readonly end: 'FINALIZED' | 'FAILED' | null;
  /** Unix milliseconds. */
  readonly signedAt: number;
}

const KEY = 'operations';
const MOST_KEPT = 50;

let kept: readonly KeptOperation[] = read();
const listeners = new Set<() => void>();

function change(next: readonly KeptOperation[]): void {
  kept = next.slice(0, MOST_KEPT);
  localStorage.setItem(KEY, JSON.stringify(kept));
  for (const listener of listeners) listener();
}

/** Keeps each operation as soon as the wallet has signed it. The snapshot shows it before its bytes are sent. */
export function keepOperationsOf(client: ServiceClient): () => void {
  return client.subscribe(() => {
    for (const { operationId, wallet, kind, signature } of client.getSnapshot().operations) {
      if (!signature || kept.some((other) => other.operationId === operationId)) continue;
      change([{ operationId, wallet, kind, signature, end: null, signedAt: Date.now() }, ...kept]);
    }
  });
}

export function endOperation(operationId: string, end: 'FINALIZED' | 'FAILED'): void {
  change(kept.map((each) => (each.operationId === operationId ? { ...each, end } : each)));
}

/** Returns the operations of a wallet, the newest first. */
export function useKeptOperations(wallet: string | null): readonly KeptOperation[] {
  const all = useSyncExternalStore(subscribe, () => kept);
  return all.filter((each) => each.wallet === wallet);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function read(): readonly KeptOperation[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}
