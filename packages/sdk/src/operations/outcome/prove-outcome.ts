/** Looks at the chain for the outcome of an operation, whoever signed it. */
import type { Operation, OperationKind, OperationState } from '@service/contract';
import { decodeTransactionError, memoText } from '@service/protocol';
import { ABSENCE_GAP_MS, proveAbsence } from '@service/protocol/absence/prove-absence';
import type { Address, Signature } from '@solana/kit';
import type { FailedOperation } from '../../error-contexts.ts';
import { isServiceError, type ServiceError } from '../../errors.ts';
import { unexpected } from '../../http/transport.ts';
import type { Clock } from '../../lib/clock.ts';
import { readAction, readLanded } from '../../receipt/landed.ts';
import { type Chain, checkGenesisHash, historyOf, orIfRpcFails, readFinalized } from '../../rpc/chain.ts';
import type { WaitOptions } from '../wait-options.ts';
import { findOnChain, type Search } from './find-on-chain.ts';
import { fateOf } from './held.ts';
import type { SignedOperation } from './ledger.ts';
import { neverSent, noWalletToSearch, operationFailed, otherWallet } from './wait-errors.ts';

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

/** The state of one wait for an operation. */
export interface Wait extends Search {
  readonly onState: WaitOptions['onState'];
  /** The transaction that this client signed or the chain has shown. Once it is set, only the chain decides. */
  signed: SignedOperation | undefined;
  /** Whether the RPC is known to be one of the deployment's cluster. */
  isOfCluster: boolean;
  /** Takes the result of each look for an absence, and says whether it is certain. */
  readonly isCertainlyAbsent: (isAbsentNow: boolean) => boolean;
  /** The state that the service last named. */
  named: OperationState | null;
  /** The final result on the caller's RPC; null until the RPC shows one. */
  proven: Proven | null;
}

/**
 * Returns what the chain shows once the operation is final there, or null while it does not.
 *
 * @throws ServiceError OPERATION_FAILED or DRAFT_EXPIRED if the chain proves that, UNEXPECTED_RESPONSE, OUTCOME_UNKNOWN
 *   if no wallet is known to search for
 */
export async function proveOutcome(
  wait: Wait,
  operation: Operation | null,
  signal: AbortSignal,
): Promise<Proven | null> {
  const { operationId, state } = wait;
  const wanted = wait.signed ?? (await findTransaction(wait, operation, signal));
  if (!wanted) return null;
  const outcome = await orIfRpcFails(outcomeOf(wait, wanted, signal), { state: 'UNSEEN' } as const);
  const { ledger } = state.operations;
  const isOver = outcome.state === 'FINALIZED' || outcome.state === 'FAILED';
  // The caller gets the outcome now, so the next operation does not have to wait for it.
  if (isOver && ledger.heldTransaction(operationId)?.signature === wanted.signature)
    ledger.release(operationId);
  if (outcome.state === 'FINALIZED') return outcome.proven;
  if (outcome.state === 'FAILED') throw failed(wait, outcome.failure);
  if (outcome.state === 'OTHER') {
    throw unexpected('GET /api/operations/{id}', 'names a transaction of another operation');
  }
  if (!wait.signed) return null;
  const { wallet, signature, signedAtSlot, lastValidBlockHeight } = wait.signed;
  const since = () => ({ slot: signedAtSlot });
  const missing = { operationId, wallets: [wallet], signature, since, lastValidBlockHeight };
  const look = await orIfRpcFails(proveAbsence(historyOf(state.chain, signal), missing), null);
  if (wait.isCertainlyAbsent(look?.verdict === 'absent'))
    throw failed(wait, { operationId, reason: 'NEVER_LANDED' });
  return null;
}

/** Returns the transaction that the service names or the chain shows. With a signature, asks only the chain. */
async function findTransaction(
  wait: Wait,
  operation: Operation | null,
  signal: AbortSignal,
): Promise<WantedTransaction | null> {
  const { state, operationId, signature } = wait;
  if (!signature && operation && 'signature' in operation) {
    return { operationId, wallet: operation.wallet, signature: operation.signature as Signature };
  }
  if (wait.wallets.length === 0 && !signature) {
    // The wallet that is asked will answer.
    if (state.operations.ledger.stateOf(operationId) === 'ASKING') return null;
    throw noWalletToSearch(wait);
  }
  wait.createdAt ??= operation?.createdAt;
  const found = await findOnChain(wait, signal);
  if (typeof found === 'object') {
    wait.signed = found;
    wait.isOfCluster = true;
    return found;
  }
  const isAbsentNow = found === 'ABSENT' && mayBeAbsent(wait) && !(await isHeld(wait, signal));
  if (wait.isCertainlyAbsent(isAbsentNow)) throw absent(wait, operation);
  return null;
}

/** Returns whether the operation can be absent from the chain, as far as the ledger knows. */
function mayBeAbsent({ state, operationId, signature }: Wait): boolean {
  switch (state.operations.ledger.stateOf(operationId)) {
    case 'ASKING':
    case 'SENT':
      return false;
    case 'ENDED':
      // The operation has ended in another transaction than the one that the caller names.
      return signature !== undefined;
    default:
      return true;
  }
}

/** Returns whether the wallet signed something for the operation that has landed in another form, or still can. */
async function isHeld({ state, operationId }: Wait, signal: AbortSignal): Promise<boolean> {
  const held = state.operations.ledger.heldTransaction(operationId);
  return held !== undefined && (await orIfRpcFails(fateOf(state, held, signal), null)) !== 'ABSENT';
}

async function outcomeOf(wait: Wait, wanted: WantedTransaction, signal: AbortSignal): Promise<Outcome> {
  if (!wait.isOfCluster) await checkGenesisHash(wait.state.chain, signal);
  wait.isOfCluster = true;
  return readOutcome(wait.state.chain, wanted, signal);
}

/** Returns the error of an operation that can no longer land. */
function absent(wait: Wait, operation: Operation | null): ServiceError {
  const { state, operationId, signature, wallet, wallets } = wait;
  if (signature) return failed(wait, { operationId, reason: 'NEVER_LANDED' });
  // A service hides the operations of other wallets. So first make sure that the wallet is the right one.
  const isOfWallet = operation ? wallets.includes(operation.wallet) : wallet !== undefined;
  if (!isOfWallet) return otherWallet(wait, wallets);
  state.operations.ledger.expire(operationId);
  return neverSent(operationId);
}

function failed({ state, operationId, signed }: Wait, failure: FailedOperation): ServiceError {
  state.operations.ledger.end(operationId);
  return operationFailed(failure, signed);
}

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

/** Returns a function that takes the result of each look, and says whether two looks in a row make it certain. */
export function twoLooks(clock: Clock): (isAbsentNow: boolean) => boolean {
  let since: number | null = null;
  return (isAbsentNow) => {
    const now = clock.elapsed();
    if (!isAbsentNow) since = null;
    else if (since !== null) return now - since >= ABSENCE_GAP_MS;
    else since = now;
    return false;
  };
}
