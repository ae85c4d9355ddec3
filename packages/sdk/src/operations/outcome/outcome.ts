/** Reads the outcome of a signed operation from the caller's own RPC. */
import type { OperationKind } from '@service/contract';
import { decodeTransactionError, memoText } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import type { FailedOperation } from '../../error-contexts.ts';
import { isServiceError } from '../../errors.ts';
import { readAction } from '../../receipt/read-action.ts';
import { readLanded } from '../../receipt/read-landed.ts';
import { type Chain, readFinalized } from '../../rpc/chain-rpc.ts';
import type { DurableNonce } from '../../transaction/durable-nonce.ts';

/** A transaction whose signed bytes have left this client. */
export interface SignedOperation {
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly wallet: Address;
  /** Base58. */
  readonly signature: Signature;
  /** A slot before the signature existed. */
  readonly signedAtSlot: bigint;
  /** A height after which the transaction's blockhash has certainly expired. */
  readonly lastValidBlockHeight: bigint;
}

/** A signed transaction that was not sent. */
export interface HeldTransaction {
  readonly operationId: string;
  readonly wallet: Address;
  /** Base58, of the fee payer; undefined if the wallet returned none, or an old one. */
  signature: Signature | undefined;
  /** A slot before the wallet was asked. */
  readonly signedAtSlot: bigint;
  /** The durable nonce of the transaction, if it has one: then it does not expire. */
  readonly nonce: DurableNonce | undefined;
  /** A height after which every blockhash has expired that the wallet can have used; undefined until the RPC has named one. */
  lastValidBlockHeight?: bigint;
}

/** The transaction of an operation to look for. */
export interface WantedTransaction {
  readonly operationId: string;
  readonly signature: Signature;
  /** The wallet that must have signed it. Undefined if the caller passed the signature: then any wallet counts. */
  readonly wallet?: Address | undefined;
}

/** The facts that the chain shows about a finalized operation. */
export interface Proven {
  readonly kind: OperationKind;
  readonly wallet: Address;
  readonly signature: Signature;
  readonly slot: bigint;
  /** Only of CREATE_RULE_SET. */
  readonly rule?: Address;
}

/** The outcome of an operation on the chain, at finalized commitment. */
export type Outcome =
  | { readonly state: 'FINALIZED'; readonly proven: Proven }
  | { readonly state: 'FAILED'; readonly failure: FailedOperation }
  | { readonly state: 'UNSEEN' }
  /** The signature belongs to a transaction that is not this operation. */
  | { readonly state: 'OTHER' };

/** Looks for a transaction on the caller's RPC. Throws ServiceError RPC_ERROR or ABORTED. */
export async function readOutcome(
  chain: Chain,
  { operationId, signature, wallet }: WantedTransaction,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const landed = await readLanded(chain, signature, signal).catch((error: unknown) => {
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
    const transaction = { action: kind, program: chain.deployment.program, programs: landed.programs };
    const { cause: _, ...failure } = decodeTransactionError(transaction, landed.error);
    return { state: 'FAILED', failure: { operationId, reason: 'ON_CHAIN_ERROR', ...failure } };
  }
  const rule = kind === 'CREATE_RULE_SET' ? { rule: action.rule as Address } : {};
  return {
    state: 'FINALIZED',
    proven: { kind, wallet: landed.wallet, signature, slot: landed.slot, ...rule },
  };
}

/** Returns whether a signed transaction that was not seen can still land. Throws ServiceError RPC_ERROR or ABORTED. */
export async function mayLand(
  chain: Chain,
  { lastValidBlockHeight }: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await readFinalized(chain, signal)).height <= lastValidBlockHeight;
}
