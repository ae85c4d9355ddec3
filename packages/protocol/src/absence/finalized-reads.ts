/** The reads that need only the newest finalized block, or one finalized transaction. */
import type {
  GetBlockTimeApi,
  GetEpochInfoApi,
  GetFirstAvailableBlockApi,
  GetSignatureStatusesApi,
  GetSignaturesForAddressApi,
  GetTransactionApi,
  Rpc,
  Signature,
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

/** Fetches a finalized transaction, with its bytes in base64. */
export function fetchTransaction(
  rpc: Rpc<GetTransactionApi>,
  signature: Signature,
  options: { readonly abortSignal: AbortSignal },
) {
  const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
  return rpc.getTransaction(signature, config).send(options);
}
