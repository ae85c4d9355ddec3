/** What all nodes of the cluster agree on besides the chain: transactions on a fork that the cluster drops. */
import type { Localnet } from '@service/localnet';
import { getBase58Decoder } from '@solana/kit';

/** A transaction that was seen as confirmed on a fork. */
interface Forked {
  readonly slot: bigint;
  /** The slot from which no node knows it any more. */
  readonly droppedAt: bigint;
  /** Whether the cluster also ignores the same bytes when they are sent again. */
  readonly isGone: boolean;
}

/** The slots of a chain, and its forks. */
export type ClusterView = ReturnType<typeof clusterView>;

/** Creates the view of a chain whose transactions are final after `finalitySlots`. */
export function clusterView(net: Localnet, finalitySlots: number) {
  const forked = new Map<string, Forked>();
  return {
    net,
    finalitySlots,
    /** The newest finalized slot. */
    get finalized(): bigint {
      return net.slot - BigInt(finalitySlots);
    },
    /** Puts a transaction on a fork: it is shown as confirmed, and dropped before it is final. */
    fork(wire: string, options: { isGone: boolean }): void {
      const slot = net.slot;
      const signature = signatureOf(wire);
      if (!forked.has(signature))
        forked.set(signature, { slot, droppedAt: slot + BigInt(finalitySlots - 2), ...options });
    },
    /** Returns the slot of a transaction that is on a fork now, else null. */
    forkSlotOf(signature: string): bigint | null {
      const found = forked.get(signature);
      return found && net.slot < found.droppedAt ? found.slot : null;
    },
    /** Returns whether the cluster ignores these bytes: they are on a fork, or were on one that took them along. */
    ignores(wire: string): boolean {
      const found = forked.get(signatureOf(wire));
      return found !== undefined && (found.isGone || net.slot < found.droppedAt);
    },
    /** Returns whether a fork took a transaction along, so that it can never land. */
    isGone: (signature: string): boolean => forked.get(signature)?.isGone ?? false,
    /** The number of transactions that were on a fork. */
    get forks(): number {
      return forked.size;
    },
  };
}

/** Returns the signature of a transaction in base64, which follows the number of signatures. */
export function signatureOf(wire: string): string {
  return getBase58Decoder().decode(Buffer.from(wire, 'base64').subarray(1, 65));
}
