/** Looks once at the chain for the outcome of an operation, whoever signed it. */
import type { Operation, OperationState } from '@service/contract';
import type { Signature } from '@solana/kit';
import type { FailedOperation } from '../../error-contexts.ts';
import type { ServiceError } from '../../errors.ts';
import { unexpected } from '../../http/transport.ts';
import { checkGenesisHash, orIfRpcFails } from '../../rpc/chain-rpc.ts';
import { fateOf } from '../held.ts';
import type { WaitOptions } from '../wait-options.ts';
import { findOnChain, type Search } from './find-on-chain.ts';
import {
  type Outcome,
  type Proven,
  readOutcome,
  type SignedOperation,
  type WantedTransaction,
} from './outcome.ts';
import { isAbsent } from './proof-of-absence.ts';
import { neverSent, noWalletToSearch, operationFailed, otherWallet } from './wait-errors.ts';

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
  state: OperationState | null;
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
  const { operationId } = wait;
  const wanted = wait.signed ?? (await findTransaction(wait, operation, signal));
  if (!wanted) return null;
  const outcome = await orIfRpcFails(outcomeOf(wait, wanted, signal), { state: 'UNSEEN' } as const);
  const { ledger } = wait.core;
  const isOver = outcome.state === 'FINALIZED' || outcome.state === 'FAILED';
  // The caller is told now, so the next operation need not wait for it.
  if (isOver && ledger.heldTransaction(operationId)?.signature === wanted.signature)
    ledger.release(operationId);
  if (outcome.state === 'FINALIZED') return outcome.proven;
  if (outcome.state === 'FAILED') throw failed(wait, outcome.failure);
  if (outcome.state === 'OTHER') {
    throw unexpected('GET /api/operations/{id}', 'names a transaction of another operation');
  }
  if (!wait.signed) return null;
  const isAbsentNow = await orIfRpcFails(isAbsent(wait.core, wait.signed, signal), false);
  if (wait.isCertainlyAbsent(isAbsentNow)) throw failed(wait, { operationId, reason: 'NEVER_LANDED' });
  return null;
}

/** Returns the transaction that the service names or the chain shows. With a signature, asks only the chain. */
async function findTransaction(
  wait: Wait,
  operation: Operation | null,
  signal: AbortSignal,
): Promise<WantedTransaction | null> {
  const { core, operationId, signature } = wait;
  if (!signature && operation && 'signature' in operation) {
    return { operationId, wallet: operation.wallet, signature: operation.signature as Signature };
  }
  if (wait.wallets.length === 0 && !signature) {
    // The wallet that is asked will answer.
    if (core.ledger.stateOf(operationId) === 'ASKING') return null;
    throw noWalletToSearch(wait);
  }
  wait.createdAt ??= operation?.createdAt;
  const found = await findOnChain(wait, signal);
  if (typeof found === 'object') {
    wait.signed = found;
    wait.isOfCluster = true;
    return found;
  }
  // The ledger may know better than a search that finds nothing.
  const state = core.ledger.stateOf(operationId);
  const mayBeAbsent = state === 'ENDED' ? signature !== undefined : state !== 'ASKING' && state !== 'SENT';
  const isAbsentNow = found === 'ABSENT' && mayBeAbsent && !(await isHeld(wait, signal));
  if (wait.isCertainlyAbsent(isAbsentNow)) throw absent(wait, operation);
  return null;
}

/** Returns whether the wallet signed something for the operation that has landed in another form, or still can. */
async function isHeld({ core, operationId }: Wait, signal: AbortSignal): Promise<boolean> {
  const held = core.ledger.heldTransaction(operationId);
  return held !== undefined && (await orIfRpcFails(fateOf(core, held, signal), null)) !== 'ABSENT';
}

async function outcomeOf(wait: Wait, wanted: WantedTransaction, signal: AbortSignal): Promise<Outcome> {
  if (!wait.isOfCluster) await checkGenesisHash(wait.core, signal);
  wait.isOfCluster = true;
  return readOutcome(wait.core, wanted, signal);
}

/** Returns the error of an operation that can no longer land. */
function absent(wait: Wait, operation: Operation | null): ServiceError {
  const { core, operationId, signature, wallet, wallets } = wait;
  if (signature) return failed(wait, { operationId, reason: 'NEVER_LANDED' });
  // A service hides the operations of other wallets. So first make sure that the wallet is the right one.
  const isOfWallet = operation ? wallets.includes(operation.wallet) : wallet !== undefined;
  if (!isOfWallet) return otherWallet(wait, wallets);
  core.ledger.expire(operationId);
  return neverSent(operationId);
}

function failed({ core, operationId, signed }: Wait, failure: FailedOperation): ServiceError {
  core.ledger.end(operationId);
  return operationFailed(failure, signed);
}
