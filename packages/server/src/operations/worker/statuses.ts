import type {
  Commitment,
  GetSignatureStatusesApi,
  Rpc,
  Signature,
  Slot,
  TransactionError,
} from '@solana/kit';

/** The status that a node has of a signature. */
export interface SignatureStatus {
  readonly slot: Slot;
  readonly err: TransactionError | null;
  readonly confirmationStatus: Commitment | null;
}

/** Reads the statuses of up to 256 signatures from the node's whole history; null for an unknown signature. */
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
