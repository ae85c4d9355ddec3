/** The reads of the chain's history that prove whether a transaction landed. All are at finalized commitment. */
import type { Signature, TransactionError } from '@solana/kit';
import type { CallHistory } from './finalized-reads.ts';

/** A moment before which nothing is searched: a slot, or a block time in Unix seconds. */
export type HistoryStart = { readonly slot: bigint } | { readonly time: bigint };

/** What a node knows of a signature. */
export interface KnownStatus {
  /** Whether the node has reached the slot that was asked for, and does not know the signature. */
  readonly isUnreported: boolean;
  /** The status; null if the node does not know the signature. */
  readonly status:
    | { readonly slot: bigint; readonly err: TransactionError | null; readonly confirmationStatus: unknown }
    | null
    | undefined;
}

/** Returns what a node that has reached the slot `asOf` knows of a signature. Throws the errors of `call`. */
export function readStatus(call: CallHistory, signature: Signature, asOf: bigint): Promise<KnownStatus> {
  return call('getSignatureStatuses', async (rpc, options) => {
    const config = { searchTransactionHistory: true } as const;
    const { context, value } = await rpc.getSignatureStatuses([signature], config).send(options);
    const [status] = value;
    return { isUnreported: status === null && context.slot >= asOf, status };
  });
}

/** Returns whether the history of a node holds every block since a moment. Throws the errors of `call`. */
export function reachesBackTo(call: CallHistory, start: HistoryStart): Promise<boolean> {
  return call('getFirstAvailableBlock', async (rpc, options) => {
    // BigInt throws for null. A comparison would treat null as zero.
    const first = BigInt(await rpc.getFirstAvailableBlock().send(options));
    if ('slot' in start) return first <= start.slot;
    return first === 0n || BigInt(await rpc.getBlockTime(first).send(options)) <= start.time;
  });
}
