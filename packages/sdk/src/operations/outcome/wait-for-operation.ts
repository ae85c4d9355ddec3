/** Waits for the end of an operation. A state that the service names counts once the caller's own RPC shows the same. */
import type { Operation } from '@service/contract';
import { isFinal } from '@service/contract/operation';
import { isServiceError, type ServiceError } from '../../errors.ts';
import { unexpected } from '../../http/transport.ts';
import { invalidArgument } from '../../lib/check-arguments.ts';
import { backoff, pause, withDeadline } from '../../lib/clock.ts';
import { notify } from '../../lib/notify.ts';
import { ConfirmedWatch } from '../../rpc/confirmed.ts';
import { checkWhich } from '../check-which.ts';
import type { ClientState } from '../state.ts';
import type { FinalizedOperation, WaitOptions } from '../wait-options.ts';
import { isSameOperation, isUnder } from './ledger.ts';
import { type Proven, proveOutcome, twoLooks, type Wait as WaitOnChain } from './prove-outcome.ts';
import { neverSent, notSigned, outcomeUnknown, searchTimedOut, walletUnknown } from './wait-errors.ts';

/** Pauses between two rounds: short at first. */
const POLL = { firstMs: 200, mostMs: 2_000 };
/** The chain is asked in every eighth round, although the service names no final state. */
const CHAIN_EVERY = 8;
/** Milliseconds that a wait goes on for the service's index once the outcome is proven. */
const INDEX_MS = 10_000;
/** Milliseconds that a read of the service may take while the chain alone is enough. */
const READ_MS = 5_000;
const WHAT = 'waitForOperation';

/** A wait, with the client whose service is asked. */
interface Wait extends WaitOnChain {
  readonly state: ClientState;
  /** The last record of the service. */
  record: Operation | null;
  /** Reports that the caller's own RPC shows the transaction as confirmed. */
  readonly confirmation: ConfirmedWatch;
  readonly onConfirmed: WaitOptions['onConfirmed'];
}

/** See `ServiceClient.waitForOperation`. */
export async function waitForOperation(
  state: ClientState,
  operationId: string,
  options: WaitOptions,
): Promise<FinalizedOperation> {
  checkWhich(operationId, options);
  const { preparedAt } = options;
  if (preparedAt !== undefined && typeof preparedAt !== 'bigint')
    throw invalidArgument('preparedAt', 'preparedAt must be a bigint of Unix seconds.');
  return untilEnded(state, operationId, options);
}

/** Waits for an operation whose id is known to be right. Throws what the client's method throws. */
export async function untilEnded(
  state: ClientState,
  operationId: string,
  {
    signal,
    timeoutMs = 180_000,
    onState,
    onConfirmed,
    wallet,
    signature,
    preparedAt,
    submitted = null,
  }: WaitOptions & { readonly submitted?: Operation | null },
): Promise<FinalizedOperation> {
  const { session, chain, operations } = state;
  const wait: Wait = {
    state,
    operationId,
    wallets: wallet ? [wallet] : [...session.ownWallets],
    wallet,
    signature,
    preparedAt,
    askedAtSlot: operations.ledger.heldTransaction(operationId)?.signedAtSlot,
    others: new Set(),
    onState,
    signed: undefined,
    isOfCluster: false,
    isCertainlyAbsent: twoLooks(chain.clock),
    named: null,
    proven: null,
    record: submitted,
    confirmation: new ConfirmedWatch(chain, (confirmed) => {
      operations.snapshot.confirm(operationId, confirmed);
      onConfirmed?.(confirmed);
    }),
    onConfirmed,
  };
  takeOwn(wait);
  try {
    return await withDeadline({ clock: chain.clock, signal, timeoutMs, what: WHAT }, (bounded) =>
      untilFinal(wait, bounded),
    );
  } catch (error) {
    // Final is a success, however the wait ends: callers would repeat a write that throws.
    if (wait.proven !== null) return finalized(wait, wait.proven, false);
    if (isServiceError(error, 'TIMEOUT')) throw timedOut(wait, timeoutMs);
    // Neither an abort nor a mistake in the SDK stops the network: once bytes were signed, nothing is known.
    const ended = isServiceError(error, 'ABORTED') ? 'was aborted' : isUnexplained(error) ? 'failed' : null;
    if ((wait.signed ?? signature) && ended)
      throw outcomeUnknown({ operationId, named: null }, `the wait ${ended}`, error);
    throw error;
  } finally {
    wait.confirmation.end();
  }
}

function isUnexplained(error: unknown): boolean {
  return !isServiceError(error) || error.code === 'UNEXPECTED_ERROR';
}

async function untilFinal(wait: Wait, signal: AbortSignal): Promise<FinalizedOperation> {
  const { state, operationId } = wait;
  const { ledger, snapshot } = state.operations;
  const { clock } = state.chain;
  let round = 0;
  let provenAt = 0;
  for (const delay of backoff(POLL)) {
    lookForConfirmed(wait);
    const operation = await fetchInTime(wait, signal);
    wait.record = operation ?? wait.record;
    // A wallet that was asked may have signed in the meantime.
    takeOwn(wait);
    if (operation && wait.proven === null && operation.state !== wait.named) {
      wait.named = operation.state;
      notify(() => wait.onState?.(operation.state, operation));
    }
    // With a signature the chain decides: a service can give the id of a signed operation to a new draft.
    if (!wait.signature && ledger.isUnsigned(operationId)) throw unsigned(wait);
    if (operation && 'signature' in operation) {
      checkOwner(wait, operation);
      snapshot.follow(operation);
    }
    round += 1;
    const isDue = !wait.signed || !operation || isFinal(operation.state) || round % CHAIN_EVERY === 0;
    if (wait.proven === null && isDue) {
      wait.proven = await proveOutcome(wait, operation, signal);
      provenAt = clock.elapsed();
      if (wait.proven !== null) wait.confirmation.end();
      if (wait.proven !== null && wait.named !== 'FINALIZED') notifyFinal(wait, wait.proven);
    }
    if (wait.proven !== null && operation?.state === 'FINALIZED' && operation.indexed) {
      return finalized(wait, wait.proven, true);
    }
    // A wallet or a page sent it itself, so the service never names it FINALIZED.
    if (wait.proven !== null && (operation?.state === 'DRAFT' || operation?.state === 'EXPIRED')) {
      return finalized(wait, wait.proven, false);
    }
    // A service whose index or reads stall must not hold up what is final.
    if (wait.proven !== null && clock.elapsed() - provenAt >= INDEX_MS)
      return finalized(wait, wait.proven, false);
    await pause(clock, delay, signal, WHAT);
  }
  throw new Error('unreachable');
}

/** Reads whether the transaction is confirmed, if this client signed it or the caller names it. The service could name another one. */
function lookForConfirmed({ state, signed, signature = signed?.signature, confirmation, onConfirmed }: Wait) {
  // A read costs requests, so skip it if nobody gets the report.
  const isShown = onConfirmed !== undefined || state.operations.snapshot.isWatched;
  if (signature && isShown) confirmation.look(signature);
}

/** Reports that the operation is final on the caller's own RPC, before the service says so. */
function notifyFinal({ onState, record }: Wait, proven: Proven): void {
  if (!record) return;
  // The service names only the two times.
  const { operationId, createdAt, expiresAt } = record;
  const final = { operationId, createdAt, expiresAt, ...proven, state: 'FINALIZED', indexed: false } as const;
  notify(() => onState?.('FINALIZED', final));
}

/** Fetches the service's record. If the chain alone is enough, does not wait long for it. */
async function fetchInTime(wait: Wait, signal: AbortSignal): Promise<Operation | null> {
  if (!wait.signed && !wait.signature && !wait.proven) return fetchOperation(wait, signal);
  const bounds = { clock: wait.state.chain.clock, signal, timeoutMs: READ_MS, what: WHAT };
  try {
    return await withDeadline(bounds, (bounded) => fetchOperation(wait, bounded));
  } catch (error) {
    if (isServiceError(error, 'TIMEOUT')) return null;
    throw error;
  }
}

/** Uses the transaction that this client signed. The caller's options must name the same one. */
function takeOwn(wait: Wait): void {
  const signed = wait.signed ?? wait.state.operations.ledger.signedOperation(wait.operationId);
  if (!signed || wait.signed) return;
  if (wait.wallet !== undefined && wait.wallet !== signed.wallet) {
    throw invalidArgument(
      'wallet',
      `wallet is ${wait.wallet}, and this client signed the operation with ${signed.wallet}. Leave wallet out.`,
    );
  }
  if (wait.signature !== undefined && wait.signature !== signed.signature) {
    throw invalidArgument(
      'signature',
      'signature is not the one of this operation. Take both from one signAndSubmit, or leave signature out.',
    );
  }
  wait.signed = signed;
  // Signing has checked the cluster.
  wait.isOfCluster = true;
}

/** Fetches the service's record, or returns null if there is none now or it is about another transaction. */
async function fetchOperation(wait: Wait, signal: AbortSignal): Promise<Operation | null> {
  const { state, operationId, signed, signature } = wait;
  try {
    const operation = await state.session.api.call('operation', { id: operationId, signal });
    if (operation.operationId !== operationId)
      throw unexpected('GET /api/operations/{id}', 'returns another operation');
    if (signed) return isSameOperation(operation, signed) ? operation : null;
    return !signature || isUnder(signature, operation) ? operation : null;
  } catch (error) {
    if (isServiceError(error, 'ABORTED')) throw error;
    // With a signature the chain is enough, and a draft of this client needs no service.
    if (signed || signature || state.operations.ledger.isUnsigned(operationId)) return null;
    if (!isServiceError(error)) throw error;
    // Without a session the service shows nothing, and the chain can be searched all the same.
    const isSearchable = error.status === 401 && wait.wallets.length > 0;
    if (isSearchable || error.code === 'NOT_FOUND' || error.retryable) return null;
    throw error;
  }
}

/**
 * Checks that a transaction which only the service names belongs to the caller's own wallet. A service that withholds the
 * caller's bytes could land another transaction with the same memo, which its own wallet signed.
 */
function checkOwner({ state, signed, signature, ...wait }: Wait, operation: Operation): void {
  if (signed || signature) return;
  const { wallet: expected } = wait;
  if (expected ? operation.wallet === expected : state.session.ownWallets.has(operation.wallet)) return;
  throw walletUnknown(wait, { wallet: operation.wallet, expected });
}

/** Returns the error of a draft that nobody is asked to sign. */
function unsigned({ state: { operations }, operationId, named }: Wait): ServiceError {
  if (named !== 'EXPIRED' && !operations.ledger.isOver(operationId)) return notSigned(operationId);
  operations.ledger.expire(operationId);
  return neverSent(operationId);
}

/** Returns the end that the chain has proven. */
function finalized({ state, operationId }: Wait, proven: Proven, indexed: boolean): FinalizedOperation {
  state.operations.ledger.end(operationId);
  return { operationId, state: 'FINALIZED', ...proven, indexed };
}

function timedOut(wait: Wait, timeoutMs: number): ServiceError {
  if (wait.lastValidBlockHeight !== undefined && !wait.signed) return searchTimedOut(wait, timeoutMs);
  return outcomeUnknown(wait, `${timeoutMs} ms have passed`);
}
