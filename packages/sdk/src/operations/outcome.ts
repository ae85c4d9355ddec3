/** The outcome of a signed operation, as the caller's own RPC shows it. */
import type { OperationKind } from '@service/contract';
import { decodeTransactionError, memoText } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import type { FailedOperation } from '../error-contexts.ts';
import { isServiceError } from '../errors.ts';
import { readAction } from '../receipt/read-action.ts';
import { readLanded } from '../receipt/read-landed.ts';
import { type Chain, readFinalized } from '../rpc/chain-rpc.ts';

/** A transaction whose signed bytes have left this client. */
export interface SignedOperation {
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly wallet: Address;
  /** Base58. */
  readonly signature: Signature;
  /** A slot before the signature existed. */
  readonly signedAtSlot: bigint;
  /** A height past which the transaction's blockhash is dead for certain. */
  readonly lastValidBlockHeight: bigint;
}

/** Which transaction is looked for: of an operation, with this signature. */
export interface WantedTransaction {
  readonly operationId: string;
  readonly signature: Signature;
  /** Who must have signed it; any wallet, where the signature is the caller's own word. */
  readonly wallet?: Address | undefined;
}

/** What the chain shows of a finalized operation. */
export interface Proven {
  readonly kind: OperationKind;
  readonly wallet: Address;
  readonly signature: Signature;
  readonly slot: bigint;
  /** Of CREATE_RULE_SET alone. */
  readonly rule?: Address;
}

/** What the chain shows at finalized commitment. */
export type Outcome =
  | { readonly state: 'FINALIZED'; readonly proven: Proven }
  | { readonly state: 'FAILED'; readonly failure: FailedOperation }
  | { readonly state: 'UNSEEN' }
  /** The signature is that of a transaction which is not this operation. */
  | { readonly state: 'OTHER' };

/** Looks for a transaction on the caller's RPC. Throws ServiceError RPC_ERROR or ABORTED. */
export async function readOutcome(
  chain: Chain,
  { operationId, signature, wallet }: WantedTransaction,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const landed = await readLanded(chain.rpc, signature, signal).catch((error: unknown) => {
    if (isServiceError(error, 'RECEIPT_INVALID')) return undefined;
    throw error;
  });
  if (landed === null) return { state: 'UNSEEN' };
  if (landed === undefined) return { state: 'OTHER' };
  if (wallet !== undefined && landed.wallet !== wallet) return { state: 'OTHER' };
  if (landed.memo !== memoText(operationId)) return { state: 'OTHER' };
  const action = readAction(chain.deployment.program, landed.action);
  if (!action) return { state: 'OTHER' };
  const { kind } = action;
  if (landed.error) {
    const { cause: _, ...failure } = decodeTransactionError(kind, landed.error);
    return { state: 'FAILED', failure: { operationId, reason: 'ON_CHAIN_ERROR', ...failure } };
  }
  const rule = kind === 'CREATE_RULE_SET' ? { rule: action.rule as Address } : {};
  return {
    state: 'FINALIZED',
    proven: { kind, wallet: landed.wallet, signature, slot: landed.slot, ...rule },
  };
}

/** Whether a signed transaction that was not seen may land yet. Throws ServiceError RPC_ERROR or ABORTED. */
export async function mayLand(
  chain: Chain,
  { lastValidBlockHeight }: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await readFinalized(chain, signal)).height <= lastValidBlockHeight;
}
