/** Waiting for the end of an operation; what the service says of it counts when the caller's RPC shows it. */
import { isFinal, type Operation, type OperationIn, type OperationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { ClientCore } from '../client/core.ts';
import type { FailedOperation } from '../error-contexts.ts';
import { isServiceError, ServiceError, type ServiceErrorOptions } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { backoff, type CallOptions, pause, withDeadline } from '../lib/deadline.ts';
import { notify } from '../lib/notify.ts';
import { checkGenesisHash } from '../rpc/chain-rpc.ts';
import { checkWhich } from './check-which.ts';
import {
  isAbsent,
  type Outcome,
  type Proven,
  readOutcome,
  type SignedOperation,
  type WantedTransaction,
} from './outcome.ts';
import { isSameOperation } from './sign-and-submit.ts';

/** An operation that is final on the caller's RPC and in the service's index (SPEC.md section 3). */
export type FinalizedOperation = Omit<OperationIn<'FINALIZED'>, 'expiresAt'>;

/** Options of `waitForOperation` (SPEC.md section 4). */
export interface WaitOptions extends CallOptions {
  /** Called with each new state, as the service tells it. What it throws is reported as an error of the page, and ends nothing. */
  readonly onState?: (state: OperationState, operation: Operation) => void;
  /**
   * The wallet that signed it, where this client neither signed it nor signed a wallet in.
   * @default any wallet that signed in through this client
   */
  readonly wallet?: Address;
  /**
   * Base58 of the signature that the wallet gave, as `signAndSubmit` returned it and the snapshot shows it: with it no
   * other transaction is believed to be the operation, whatever the service says. Keep it beside the id over a reload.
   * @default the one that this client holds, when it signed the operation itself
   */
  readonly signature?: Signature | undefined;
  /**
   * Unix seconds, by this machine's clock, of a moment before it was prepared; `resume` alone goes by it. With it an RPC
   * whose history reaches back to then is enough to prove that nothing was signed. @default the beginning of the chain
   */
  readonly preparedAt?: bigint | undefined;
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
  /** The only transaction that counts, if this client or the caller holds its signature. */
  readonly signature: Signature | undefined;
  readonly onState: WaitOptions['onState'];
  /** Ends it, for the caller or because its time is over. */
  signal: AbortSignal | undefined;
  /** Whether the RPC is known to be one of the deployment's cluster: after a reload it may be another one. */
  isOfCluster: boolean;
  absentSince: number | null;
  /** As the service last told it. */
  state: OperationState | null;
  /** What the caller's RPC shows, once it shows the operation final. */
  proven: Proven | null;
}

/** See `ServiceClient.waitForOperation`. */
export function waitForOperation(
  core: ClientCore,
  operationId: string,
  options: WaitOptions,
): Promise<FinalizedOperation> {
  return followOperation(core, operationId, options, core.ledger.signedOperation(operationId));
}

/** Waits for an operation, of which `signed` is known to be the transaction. */
export async function followOperation(
  core: ClientCore,
  operationId: string,
  { onState, signal, wallet, signature, timeoutMs = 180_000 }: WaitOptions,
  signed: SignedOperation | undefined,
): Promise<FinalizedOperation> {
  checkWhich(operationId, { wallet, signature });
  if (signed) checkSigned(signed, { wallet, signature });
  const wait: Wait = {
    core,
    operationId,
    signed,
    wallet,
    signature: signed?.signature ?? signature,
    onState,
    signal,
    isOfCluster: signed !== undefined,
    absentSince: null,
    state: null,
    proven: null,
  };
  try {
    // Of each question by itself the service and the RPC may keep the answer back for longer.
    return await withDeadline({ signal, timeoutMs, what: 'waitForOperation' }, (bounded) => {
      wait.signal = bounded;
      return untilFinal(wait);
    });
  } catch (error) {
    if (isServiceError(error, 'TIMEOUT')) throw timedOut(wait, timeoutMs);
    // An abort does not end what the network does: with signed bytes out, nothing is known.
    if (wait.signature && wait.proven === null && isServiceError(error, 'ABORTED'))
      throw unknown(wait, 'the wait was aborted');
    throw error;
  }
}

async function untilFinal(wait: Wait): Promise<FinalizedOperation> {
  const { core, operationId, signal } = wait;
  let round = 0;
  for (const delay of backoff(POLL)) {
    const operation = await ask(wait);
    if (operation && operation.state !== wait.state) {
      wait.state = operation.state;
      notify(() => wait.onState?.(operation.state, operation));
    }
    if (operation) checkOwner(wait, operation);
    if (operation && 'signature' in operation) core.store.follow(operation);
    round += 1;
    if (wait.proven === null && (!operation || isFinal(operation.state) || round % CHAIN_EVERY === 0)) {
      wait.proven = await findProof(wait, operation);
    }
    if (wait.proven !== null && operation?.state === 'FINALIZED' && operation.indexed) {
      core.ledger.end(operationId);
      const { rule: _rule, expiresAt: _ofTheDraft, ...told } = operation;
      return { ...told, ...wait.proven };
    }
    await pause(delay, signal, 'waitForOperation');
  }
  throw new Error('unreachable');
}

/** What the caller passes must be what is known of the transaction. */
function checkSigned(
  signed: SignedOperation,
  { wallet, signature }: Pick<WantedTransaction, 'wallet'> & { readonly signature: Signature | undefined },
): void {
  if (wallet !== undefined && wallet !== signed.wallet) {
    throw invalidArgument(
      'wallet',
      `wallet is ${wallet}, and this client signed the operation with ${signed.wallet}. Leave wallet out.`,
    );
  }
  if (signature !== undefined && signature !== signed.signature) {
    throw invalidArgument(
      'signature',
      'signature is not the one of this operation. Take both from one signAndSubmit, or leave signature out.',
    );
  }
}

/**
 * A transaction that the service names counts only of the caller's own wallet: with a wallet of its own, a service that
 * holds the caller's bytes back could land another transaction with the same memo.
 */
function checkOwner(wait: Wait, operation: Operation): void {
  if (wait.signature || !('signature' in operation)) return;
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
async function ask({ core, operationId, signed, signature, signal }: Wait): Promise<Operation | null> {
  try {
    const operation = await core.api.call('operation', { id: operationId, signal });
    if (operation.operationId !== operationId)
      throw unexpected('GET /api/operations/{id}', 'answers another operation');
    if (signed) return isSameOperation(operation, signed) ? operation : null;
    return !signature || isUnder(signature, operation) ? operation : null;
  } catch (error) {
    // Signed bytes can be followed on the chain alone; without them the service's refusal is the end.
    if (isServiceError(error, 'ABORTED') || (!signature && !(isServiceError(error) && error.retryable)))
      throw error;
    return null;
  }
}

/** Whether the service speaks of the transaction with this signature. */
export function isUnder(signature: Signature, operation: Operation): boolean {
  return 'signature' in operation && operation.signature === signature;
}

/** What the chain shows of it when it is final there, or null. Throws what the chain proves of its failure. */
async function findProof(wait: Wait, operation: Operation | null): Promise<Proven | null> {
  const wanted = wantedTransaction(wait, operation);
  if (!wanted) return null;
  const outcome = await outcomeOf(wait, wanted);
  if (outcome.state === 'FINALIZED') return outcome.proven;
  if (outcome.state === 'FAILED') throw failed(wait, outcome.failure);
  if (outcome.state === 'FOREIGN') {
    throw wait.signature && !wait.signed
      ? ofAnother()
      : unexpected('GET /api/operations/{id}', 'names a transaction that is not of this operation');
  }
  if (wait.signed && (await isAbsentTwice(wait, wait.signed))) {
    throw failed(wait, { operationId: wait.operationId, reason: 'NEVER_LANDED' });
  }
  return null;
}

function wantedTransaction(wait: Wait, operation: Operation | null): WantedTransaction | null {
  const { operationId, signature } = wait;
  if (signature) return { operationId, signature, wallet: wait.signed?.wallet ?? wait.wallet };
  if (!operation) return null;
  if ('signature' in operation) {
    return { operationId, wallet: operation.wallet, signature: operation.signature as Signature };
  }
  if (operation.state !== 'EXPIRED') return null;
  // Another client, or this one before a reload, may have signed it: then the service's word is not enough.
  if (!wait.core.ledger.isUnsigned(operationId)) throw unknown(wait, 'the service says EXPIRED', 'EXPIRED');
  wait.core.ledger.expire(operationId);
  throw new ServiceError('DRAFT_EXPIRED', {
    message: 'The draft expired without having been signed. Prepare again.',
    context: {},
  });
}

/** A failing RPC is asked again in the next round. */
async function outcomeOf(wait: Wait, wanted: WantedTransaction): Promise<Outcome> {
  const { core, signal } = wait;
  try {
    if (!wait.isOfCluster) await checkGenesisHash(core, signal);
    wait.isOfCluster = true;
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

/** The refusal of an operation whose end without effect is proven. */
export function failed(
  { core, operationId }: Pick<Wait, 'core' | 'operationId'>,
  failure: FailedOperation,
): ServiceError {
  core.ledger.end(operationId);
  const { reason, programError, instruction } = failure;
  const why =
    reason === 'NEVER_LANDED'
      ? 'it never landed, and its blockhash is dead (does the wallet have SOL for fees?). Nothing changed, and no fee was paid.'
      : `the chain refused it${programError ? ` with ${programError.name} (${programError.code})` : ''}${
          instruction === undefined ? '' : ` in instruction ${instruction}`
        }. Nothing changed but the network fee.`;
  return new ServiceError('OPERATION_FAILED', {
    message: `The operation ${operationId} failed: ${why}${whyOf(failure, core.ledger.signedOperation(operationId))}`,
    context: failure,
  });
}

/** What tells the reasons, and tells them before anybody signs. */
function whyOf({ reason }: FailedOperation, signed: SignedOperation | undefined): string {
  if (reason === 'NEVER_LANDED' || !signed) return '';
  if (signed.kind === 'PROVE') return ' client.checkProof says why.';
  return ['ISSUE', 'TRANSFER'].includes(signed.kind) ? ' client.checkTransfer says why.' : '';
}

/** The caller's own mistake: an honest service has nothing to do with it. */
export function ofAnother(): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message:
      'signature is of a transaction that is not of this operation and wallet. Pass the one that was kept beside the id.',
    context: { field: 'signature' },
  });
}

function unknown({ operationId }: Wait, why: string, answer?: string): ServiceError {
  const context = { operationId, ...(answer ? { answer } : {}) };
  const options: ServiceErrorOptions<'OUTCOME_UNKNOWN'> = {
    message: `The outcome of ${operationId} is not known: ${why}, and your own RPC does not show it. Do not repeat it; ask again with client.resume('${operationId}').`,
    context,
  };
  return new ServiceError('OUTCOME_UNKNOWN', options);
}

function timedOut(wait: Wait, timeoutMs: number): ServiceError {
  const { core, operationId, state } = wait;
  if (wait.proven !== null) {
    core.ledger.end(operationId);
    return new ServiceError('INDEX_STALE', {
      message: `The operation ${operationId} is final on chain, but the service's index has not reached it in ${timeoutMs} ms. Reads may lag. Do not repeat it.`,
      context: {},
      // A write that is repeated for its sake would be done twice.
      retryable: false,
    });
  }
  if (state === 'DRAFT' && core.ledger.isUnsigned(operationId)) {
    return new ServiceError('TIMEOUT', {
      message: `The operation ${operationId} has not been signed in ${timeoutMs} ms.`,
      context: {},
    });
  }
  return unknown(wait, `${timeoutMs} ms have passed`, state ?? undefined);
}
