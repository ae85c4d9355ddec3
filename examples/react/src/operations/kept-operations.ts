/** Keeps operations over a reload. Once signed bytes are sent, only the chain knows the outcome. */
import type { Operation, ServiceClient } from '@service/sdk';
import { useServiceClient } from '@service/sdk/react';
import type { Signature } from '@solana/kit';
import { idOf } from '../deployment.ts';
import { createKeptList } from '../site/store.ts';

/** An operation that was signed in this browser. */
export interface KeptOperation {
  readonly operationId: string;
  /** As `idOf` returns it. */
  readonly deployment: string;
  readonly wallet: Operation['wallet'];
  readonly kind: Operation['kind'];
  /** The SDK then accepts no other transaction as the operation. */
  readonly signature: Signature;
  /** Null until its end is proven. */
  readonly end: 'FINALIZED' | 'FAILED' | null;
  /** Unix milliseconds. */
  readonly signedAt: number;
}

const kept = createKeptList<KeptOperation>('operations');

/** Keeps each operation as soon as the wallet has signed it. The snapshot shows it before its bytes are sent. */
export function keepOperationsOf(client: ServiceClient): () => void {
  const deployment = idOf(client.deployment);
  return client.subscribe(() => {
    for (const { operationId, wallet, kind, signature } of client.getSnapshot().operations) {
      if (!signature || kept.get().some((other) => other.operationId === operationId)) continue;
      const signed = { operationId, deployment, wallet, kind, signature, end: null, signedAt: Date.now() };
      kept.change((all) => [signed, ...all]);
    }
  });
}

export function endOperation(operationId: string, end: 'FINALIZED' | 'FAILED'): void {
  kept.change((all) => all.map((each) => (each.operationId === operationId ? { ...each, end } : each)));
}

/** Returns the operations of a wallet, the newest first. */
export function useKeptOperations(wallet: string | null): readonly KeptOperation[] {
  const deployment = idOf(useServiceClient().deployment);
  return kept.use().filter((each) => each.wallet === wallet && each.deployment === deployment);
}
