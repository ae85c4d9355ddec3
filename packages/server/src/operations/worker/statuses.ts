import type {
  Commitment,
  GetSignatureStatusesApi,
  Rpc,
  Signature,
  Slot,
  TransactionError,
} from '@solana/kit';

/** The status of a signature on a node. */
export interface SignatureStatus {
  readonly slot: Slot;
  readonly err: TransactionError | null;
  readonly confirmationStatus: Commitment | null;
}

/** Returns the statuses of up to 256 signatures, null for those that the node does not know. Searches the whole history. */
export async function signatureStatuses(
  rpc: Rpc<GetSignatureStatusesApi>,
  signatures: readonly Signature[],
  signal: AbortSignal,
): Promise<{ readonly contextSlot: Slot; readonly statuses: readonly (SignatureStatus | null)[] }> {
  const { context, value } = await rpc
    .getSignatureStatuses(signatures, { searchTransactionHistory: true })
    .send({ abortSignal: signal });
  return { contextSlot: context.slot, statuses: value };
}
