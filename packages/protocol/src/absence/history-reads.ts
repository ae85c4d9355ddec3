/** The reads of the chain's history that prove whether a transaction landed. All are at finalized commitment. */
import type {
  GetBlockTimeApi,
  GetEpochInfoApi,
  GetFirstAvailableBlockApi,
  GetSignatureStatusesApi,
  GetSignaturesForAddressApi,
  GetTransactionApi,
  Rpc,
  Signature,
  TransactionError,
} from '@solana/kit';

/** The calls of an RPC that the reads make. */
export type HistoryRpc = Rpc<
  GetBlockTimeApi &
    GetEpochInfoApi &
    GetFirstAvailableBlockApi &
    GetSignatureStatusesApi &
    GetSignaturesForAddressApi &
    GetTransactionApi
>;

/** Makes one call of the caller's RPC, within the caller's time limit. Throws the caller's error if `read` fails. */
export type CallHistory = <T>(
  method: string,
  read: (rpc: HistoryRpc, options: { readonly abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>;

/** A moment before which nothing is searched: a slot, or a block time in Unix seconds. */
export type HistoryStart = { readonly slot: bigint } | { readonly time: bigint };

/** The newest height and slot that are final. */
export interface FinalizedTip {
  readonly height: bigint;
  readonly slot: bigint;
}

/** Returns the newest height and slot that are final. Throws the errors of `call`. */
export function readFinalizedTip(call: CallHistory): Promise<FinalizedTip> {
  return call('getEpochInfo', async (rpc, options) => {
    const answer = await rpc.getEpochInfo({ commitment: 'finalized' }).send(options);
    // BigInt throws for a value that a node leaves out. A missing height must not prove an absence.
    return { height: BigInt(answer.blockHeight), slot: BigInt(answer.absoluteSlot) };
  });
}

/** What a node knows of a signature. */
export type KnownStatus =
  | { readonly state: 'FINALIZED'; readonly slot: bigint; readonly err: TransactionError | null }
  /** A node that has reached the slot does not know it. */
  | { readonly state: 'UNREPORTED' }
  /** It is not final yet, or the node is behind the slot. */
  | { readonly state: 'UNCLEAR' };

/** Returns what a node that has reached the slot `asOf` knows of a signature. Throws the errors of `call`. */
export function readStatus(call: CallHistory, signature: Signature, asOf: bigint): Promise<KnownStatus> {
  return call('getSignatureStatuses', async (rpc, options): Promise<KnownStatus> => {
    const config = { searchTransactionHistory: true } as const;
    const { context, value } = await rpc.getSignatureStatuses([signature], config).send(options);
    const [status] = value;
    if (status?.confirmationStatus === 'finalized')
      return { state: 'FINALIZED', slot: status.slot, err: status.err };
    return { state: status === null && context.slot >= asOf ? 'UNREPORTED' : 'UNCLEAR' };
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

/** Fetches a finalized transaction, with its bytes in base64. */
export function fetchTransaction(
  rpc: Rpc<GetTransactionApi>,
  signature: Signature,
  options: { readonly abortSignal: AbortSignal },
) {
  const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
  return rpc.getTransaction(signature, config).send(options);
}
