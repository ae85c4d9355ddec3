/** Waiting for the end of an operation; what the service says of it counts when the caller's RPC shows it. */
import { isFinal, type Operation, type OperationIn, type OperationState } from '@service/contract';
import { isOperationId } from '@service/protocol';
import { type Address, isAddress, type Signature } from '@solana/kit';
import type { FailedOperation } from '../error-codes.ts';
import { isServiceError, ServiceError, type ServiceErrorOptions } from '../errors.ts';
import type { ClientCore } from './core.ts';
import { backoff, type CallOptions, pause } from './deadline.ts';
import {
  isAbsent,
  type Outcome,
  readOutcome,
  type SignedOperation,
  type WantedTransaction,
} from './outcome.ts';
import { isSameOperation } from './sign-and-submit.ts';
import { unexpected } from './transport.ts';

/** An operation that is final on the caller's RPC and in the service's index (SPEC.md section 3). */
export type FinalizedOperation = Omit<OperationIn<'FINALIZED'>, 'expiresAt'>;

/** Options of `waitForOperation` (SPEC.md section 4). */
export interface WaitOptions extends CallOptions {
  /** Called with each new state, as the service tells it. */
  readonly onState?: (state: OperationState, operation: Operation) => void;
  /**
   * The wallet that signed it, where this client neither signed it nor signed a wallet in.
   * @default any wallet that signed in through this client
   */
  readonly wallet?: Address;
  /** Milliseconds. @default 180000 */
  readonly timeoutMs?: number;
}

/** How the service is asked: often at first, every two seconds later. */
const POLL = { firstMs: 200, mostMs: 2_000 };
/** Every how many rounds the chain is asked although the service says nothing final. */
const CHAIN_EVERY = 8;
/** Between the two looks that make an absence certain. */
const ABSENCE_GAP_MS = 3_000;

interface Wait {
  readonly core: ClientCore;
  readonly operationId: string;
  readonly signed: SignedOperation | undefined;
  /** The only wallet whose transaction counts, if the caller named one. */
  readonly wallet: Address | undefined;
  readonly signal: AbortSignal | undefined;
  absentSince: number | null;
}

/** See `ServiceClient.waitForOperation`. */
export async function waitForOperation(
  core: ClientCore,
  operationId: string,
  { onState, signal, wallet, timeoutMs = 180_000 }: WaitOptions,
): Promise<FinalizedOperation> {
  if (!isOperationId(operationId)) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: 'operationId must be the UUID of an operation.',
      context: { field: 'operationId' },
    });
  }
  const signed = core.signed.get(operationId);
  checkWallet(wallet, signed);
  const wait: Wait = { core, operationId, signed, wallet, signal, absentSince: null };
  const deadline = performance.now() + timeoutMs;
  let state: OperationState | null = null;
  /** The slot by the caller's RPC, once it shows the operation final. */
  let provenSlot: bigint | null = null;
  let round = 0;
  try {
    for (const delay of backoff(POLL)) {
      const operation = await ask(wait);
      if (operation && operation.state !== state) {
        state = operation.state;
        onState?.(state, operation);
      }
      if (operation) checkOwner(wait, operation);
      if (operation && 'signature' in operation) core.store.follow(operation);
      round += 1;
      if (provenSlot === null && (!operation || isFinal(operation.state) || round % CHAIN_EVERY === 0)) {
        provenSlot = await findFinalSlot(wait, operation);
      }
      if (provenSlot !== null && operation?.state === 'FINALIZED' && operation.indexed) {
        settle(core, operationId);
        const { expiresAt: _ofTheDraft, ...final } = operation;
        return { ...final, slot: provenSlot };
      }
      if (performance.now() + delay > deadline) throw timedOut(wait, provenSlot !== null, state, timeoutMs);
      await pause(delay, signal, 'waitForOperation');
    }
  } catch (error) {
    // An abort does not end what the network does: with signed bytes out, nothing is known.
    if (wait.signed && provenSlot === null && isServiceError(error, 'ABORTED'))
      throw unknown(wait, 'the wait was aborted');
    throw error;
  }
  throw new Error('unreachable');
}

function checkWallet(wallet: Address | undefined, signed: SignedOperation | undefined): void {
  if (wallet === undefined || (isAddress(wallet) && (!signed || signed.wallet === wallet))) return;
  throw new ServiceError('INVALID_ARGUMENT', {
    message: signed
      ? `wallet is ${String(wallet)}, and this client signed the operation with ${signed.wallet}. Leave wallet out.`
      : 'wallet must be the base58 address of the wallet that signed the operation.',
    context: { field: 'wallet' },
  });
}

/**
 * A transaction that the service names counts only of the caller's own wallet: with a wallet of its own, a service that
 * holds the caller's bytes back could land another transaction with the same memo.
 */
function checkOwner(wait: Wait, operation: Operation): void {
  if (wait.signed || !('signature' in operation)) return;
  const { core, operationId, wallet } = wait;
  if (wallet ? operation.wallet === wallet : core.ownWallets.has(operation.wallet)) return;
  const remedy = wallet
    ? `it is not of the wallet ${wallet} that you passed`
    : `nothing shows that the wallet is yours. Sign in first with client.authenticate(wallet, genesisHash), or pass the wallet that signed it: client.waitForOperation('${operationId}', { wallet })`;
  throw new ServiceError('OUTCOME_UNKNOWN', {
    message: `The outcome of ${operationId} is not known: the service says ${operation.state} of a transaction of ${operation.wallet}, and ${remedy}. Do not repeat the operation.`,
    context: { operationId, answer: operation.state },
  });
}

/** What the service says, or null when it cannot be asked or does not speak of this operation. */
async function ask({ core, operationId, signed, signal }: Wait): Promise<Operation | null> {
  try {
    const operation = await core.api.call('operation', { id: operationId, signal });
    if (operation.operationId !== operationId)
      throw unexpected('GET /api/operations/{id}', 'answers another operation');
    return !signed || isSameOperation(operation, signed) ? operation : null;
  } catch (error) {
    // Signed bytes can be followed on the chain alone; without them the service's refusal is the end.
    if (isServiceError(error, 'ABORTED') || (!signed && !(isServiceError(error) && error.retryable)))
      throw error;
    return null;
  }
}

/** The slot in which the chain shows it FINALIZED, or null. Throws what the chain proves of its failure. */
async function findFinalSlot(wait: Wait, operation: Operation | null): Promise<bigint | null> {
  const wanted = wantedTransaction(wait, operation);
  if (!wanted) return null;
  const outcome = await outcomeOf(wait, wanted);
  if (outcome.state === 'FINALIZED') return outcome.slot;
  if (outcome.state === 'FAILED') throw failed(wait, outcome.failure);
  if (outcome.state === 'FOREIGN') {
    throw unexpected('GET /api/operations/{id}', 'names a transaction that is not of this operation');
  }
  if (wait.signed && (await isAbsentTwice(wait, wait.signed))) {
    throw failed(wait, { operationId: wait.operationId, reason: 'NEVER_LANDED' });
  }
  return null;
}

function wantedTransaction(wait: Wait, operation: Operation | null): WantedTransaction | null {
  if (wait.signed) return wait.signed;
  if (!operation) return null;
  if ('signature' in operation) {
    return {
      operationId: wait.operationId,
      kind: operation.kind,
      wallet: operation.wallet,
      signature: operation.signature as Signature,
    };
  }
  if (operation.state !== 'EXPIRED') return null;
  // Another client, or this one before a reload, may have signed it: then the service's word is not enough.
  if (!wait.core.unsigned.has(wait.operationId)) throw unknown(wait, 'the service says EXPIRED', 'EXPIRED');
  settle(wait.core, wait.operationId);
  throw new ServiceError('DRAFT_EXPIRED', {
    message: 'The draft expired without having been signed. Prepare again.',
    context: {},
  });
}

/** A failing RPC is asked again in the next round. */
async function outcomeOf({ core, signal }: Wait, wanted: WantedTransaction): Promise<Outcome> {
  try {
    return await readOutcome(core, wanted, signal);
  } catch (error) {
    if (isServiceError(error, 'RPC_ERROR')) return { state: 'UNSEEN' };
    throw error;
  }
}

async function isAbsentTwice(wait: Wait, signed: SignedOperation): Promise<boolean> {
  const now = performance.now();
  if (wait.absentSince !== null && now - wait.absentSince < ABSENCE_GAP_MS) return false;
  const absent = await isAbsent(wait.core, signed, wait.signal).catch((error: unknown) => {
    if (isServiceError(error, 'RPC_ERROR')) return false;
    throw error;
  });
  const before = wait.absentSince;
  wait.absentSince = absent ? (before ?? now) : null;
  return absent && before !== null;
}

/** The end of it is proven: nothing more needs to be known. */
function settle(core: ClientCore, operationId: string): void {
  core.signed.delete(operationId);
  core.store.leave(operationId);
}

function failed({ core, operationId, signed }: Wait, failure: FailedOperation): ServiceError {
  settle(core, operationId);
  const { reason, programError, instruction } = failure;
  const why =
    reason === 'NEVER_LANDED'
      ? 'it never landed, and its blockhash is dead (does the wallet have SOL for fees?)'
      : `the chain refused it${programError ? ` with ${programError.name} (${programError.code})` : ''}${
          instruction === undefined ? '' : ` in instruction ${instruction}`
        }`;
  return new ServiceError('OPERATION_FAILED', {
    message: `The operation ${operationId} failed: ${why}. Nothing changed but the network fee.${whyOf(failure, signed)}`,
    context: failure,
  });
}

/** What tells the reasons, and tells them before anybody signs. */
function whyOf({ reason }: FailedOperation, signed: SignedOperation | undefined): string {
  if (reason === 'NEVER_LANDED' || !signed) return '';
  if (signed.kind === 'PROVE') return ' client.checkProve says why.';
  return ['ISSUE', 'TRANSFER'].includes(signed.kind) ? ' client.explainTransfer says why.' : '';
}

function unknown({ operationId }: Wait, why: string, answer?: string): ServiceError {
  const context = { operationId, ...(answer ? { answer } : {}) };
  const options: ServiceErrorOptions<'OUTCOME_UNKNOWN'> = {
    message: `The outcome of ${operationId} is not known: ${why}, and your own RPC does not show it. Do not repeat it; ask again with client.resume('${operationId}').`,
    context,
  };
  return new ServiceError('OUTCOME_UNKNOWN', options);
}

function timedOut(
  wait: Wait,
  isProven: boolean,
  state: OperationState | null,
  timeoutMs: number,
): ServiceError {
  if (isProven) {
    settle(wait.core, wait.operationId);
    return new ServiceError('INDEX_STALE', {
      message: `The operation ${wait.operationId} is final on chain, but the service's index has not reached it in ${timeoutMs} ms. Reads may lag.`,
      context: {},
    });
  }
  if (state === 'DRAFT' && wait.core.unsigned.has(wait.operationId)) {
    return new ServiceError('TIMEOUT', {
      message: `The operation ${wait.operationId} has not been signed in ${timeoutMs} ms.`,
      context: {},
    });
  }
  return unknown(wait, `${timeoutMs} ms have passed`, state ?? undefined);
}
