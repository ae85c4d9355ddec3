/** Taking up an operation after a reload: nothing is remembered of it, and nothing is ever signed here. */
import type { Operation, OperationState } from '@service/contract';
import { isOperationId, memoText } from '@service/protocol';
import { type Address, isAddress, isSignature, type Signature } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { actionUnder, readLanded } from '../receipt/read-landed.ts';
import { askRpc, sendOptions } from './chain-rpc.ts';
import type { ClientCore } from './core.ts';
import { backoff, pause, withDeadline } from './deadline.ts';
import { findByMemo, type SignedOperation } from './outcome.ts';
import { unexpected } from './transport.ts';
import {
  type FinalizedOperation,
  failed,
  followOperation,
  ofAnother,
  type WaitOptions,
  waitForOperation,
} from './wait-for-operation.ts';

/** How the service is asked while it calls the operation a draft. */
const POLL = { firstMs: 500, mostMs: 3_000 };
/** Between the two looks that make an absence certain. */
const ABSENCE_GAP_MS = 3_000;
/** Blocks by which the node that a signature was checked on may have been ahead of the one that is asked now. */
const NODES_APART = 32n;
/** More slots than pass in a second. */
const SLOTS_PER_SECOND = 4n;

/** See `ServiceClient.resume`. */
export async function resume(
  core: ClientCore,
  operationId: string,
  options: WaitOptions,
): Promise<FinalizedOperation> {
  checkArguments(operationId, options);
  if (core.signed.has(operationId)) return waitForOperation(core, operationId, options);
  const { signal, timeoutMs = 180_000, onState, wallet, signature } = options;
  const deadline = performance.now() + timeoutMs;
  const search: Search = {
    core,
    operationId,
    signal,
    wallets: wallet ? [wallet] : [...core.ownWallets],
    wallet,
    signature,
    onState,
    state: null,
  };
  const found = await withDeadline({ signal, timeoutMs, what: 'resume' }, (bounded) => {
    search.signal = bounded;
    return untilFound(search);
  }).catch((error: unknown) => {
    throw isServiceError(error, 'TIMEOUT') ? unknown(operationId, search.state, timeoutMs) : error;
  });
  const left = Math.max(0, deadline - performance.now());
  const rest = { ...options, timeoutMs: left, ...skipping(search.state, onState) };
  return followOperation(core, operationId, rest, found);
}

/** Waits until it is known to be signed; what the chain shows of it, where the service did not say so. */
async function untilFound(search: Search): Promise<SignedOperation | undefined> {
  const { core, operationId } = search;
  let absentSince: number | null = null;
  for (const delay of backoff(POLL)) {
    const operation = await ask(search);
    // With a signature the chain is asked for that one, whatever the service says.
    if (operation && 'signature' in operation && !search.signature) return undefined;
    if (operation && operation.state !== search.state) {
      search.state = operation.state;
      search.onState?.(operation.state, operation);
    }
    if (core.unsigned.has(operationId)) throw unsigned(core, operationId, search.state);
    if (search.wallets.length === 0 && !search.signature) throw nobodysWallet(operationId, search.state);
    const trace = await findTrace(search);
    if (typeof trace === 'object') return trace;
    if (trace === 'NONE' && (await isPast(search, operation))) {
      const now = performance.now();
      if (absentSince !== null && now - absentSince >= ABSENCE_GAP_MS)
        throw search.signature
          ? failed(search, { operationId, reason: 'NEVER_LANDED' })
          : neverSigned(core, operationId);
      absentSince ??= now;
    }
    await pause(delay, search.signal, 'resume');
  }
  throw new Error('unreachable');
}

interface Search {
  readonly core: ClientCore;
  readonly operationId: string;
  /** Ends it, for the caller or because its time is over. */
  signal: AbortSignal | undefined;
  /** The wallets that may have signed it. */
  readonly wallets: readonly Address[];
  /** The only one of them that counts, if the caller named one. */
  readonly wallet: Address | undefined;
  /** Of the only transaction that counts, if the caller kept it. */
  readonly signature: Signature | undefined;
  readonly onState: WaitOptions['onState'];
  /** As the service last told it. */
  state: OperationState | null;
  /** Where the chain stood when the search began. */
  start?: { readonly slot: bigint; readonly lastValidBlockHeight: bigint };
}

/** What the service says; null when it cannot be asked now, or says that it knows nothing of it. */
async function ask({ core, operationId, signal }: Search): Promise<Operation | null> {
  try {
    const operation = await core.api.call('operation', { id: operationId, signal });
    if (operation.operationId === operationId) return operation;
    throw unexpected('GET /api/operations/{id}', 'answers another operation');
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND') || (isServiceError(error) && error.retryable)) return null;
    throw error;
  }
}

/**
 * Whether the chain has the operation although the service calls it unsigned. If so it is followed from here on as one
 * that this client signed: by the chain alone. UNCLEAR when the RPC fails, or has the memo on something else.
 */
async function findTrace(search: Search): Promise<SignedOperation | 'NONE' | 'UNCLEAR'> {
  const { core, operationId, signal, wallets } = search;
  try {
    if (search.signature) return await traceOf(search, search.signature, search.wallet);
    for (const wallet of wallets) {
      const signature = await findByMemo(core, { operationId, wallet }, 0n, signal);
      if (!signature) continue;
      const trace = await traceOf(search, signature, wallet);
      return trace === 'NONE' ? 'UNCLEAR' : trace;
    }
    return 'NONE';
  } catch (error) {
    // Asked again in the next round.
    if (isServiceError(error, 'RPC_ERROR') || isServiceError(error, 'RECEIPT_INVALID')) return 'UNCLEAR';
    throw error;
  }
}

/** What the chain shows under a signature. */
async function traceOf(
  { core, operationId, signal, signature: own }: Search,
  signature: Signature,
  wallet: Address | undefined,
): Promise<SignedOperation | 'NONE' | 'UNCLEAR'> {
  const landed = await readLanded(core.rpc, signature, signal);
  if (!landed) return 'NONE';
  const action = await actionUnder(core.rpc, core.deployment.program, landed, signal);
  const isOther = landed.memo !== memoText(operationId) || (wallet !== undefined && landed.wallet !== wallet);
  if (isOther && own) throw ofAnother();
  if (!action || isOther) return 'UNCLEAR';
  core.sentIds.add(operationId);
  return {
    operationId,
    kind: action.kind,
    wallet: landed.wallet,
    signature,
    signedAtSlot: landed.slot,
    // It has landed: no height makes it absent.
    lastValidBlockHeight: 2n ** 64n,
  };
}

/**
 * Whether nothing that was signed before this search can land any more, and the RPC's history reaches back to before
 * the operation was prepared: then what it has not shown does not exist. A blockhash that was valid at the start is
 * dead by then, whatever it was.
 */
async function isPast(search: Search, operation: Operation | null): Promise<boolean> {
  const { core, signal } = search;
  const send = sendOptions(signal);
  try {
    if (!search.start) {
      const { context, value } = await askRpc('getLatestBlockhash', signal, () =>
        core.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(send),
      );
      search.start = { slot: context.slot, lastValidBlockHeight: value.lastValidBlockHeight + NODES_APART };
    }
    const { slot, lastValidBlockHeight } = search.start;
    const [epoch, firstBlock] = await askRpc('getEpochInfo', signal, () =>
      Promise.all([
        core.rpc.getEpochInfo({ commitment: 'finalized' }).send(send),
        core.rpc.getFirstAvailableBlock().send(send),
      ]),
    );
    // Without a record there is no time of preparing: then only a node with all of the history proves anything.
    const age = operation ? core.now() - operation.createdAt : slot;
    const preparedAt = slot - (age > 0n ? age : 0n) * SLOTS_PER_SECOND;
    const reachesBack = firstBlock <= (preparedAt > 0n ? preparedAt : 0n);
    return reachesBack && epoch.blockHeight > lastValidBlockHeight;
  } catch (error) {
    if (isServiceError(error, 'RPC_ERROR')) return false;
    throw error;
  }
}

/** Passes the states on without the one that was told already. */
function skipping(
  told: OperationState | null,
  onState: WaitOptions['onState'],
): Pick<WaitOptions, 'onState'> {
  if (!onState) return {};
  let last = told;
  return {
    onState: (state, operation) => {
      if (state !== last) onState(state, operation);
      last = state;
    },
  };
}

function checkArguments(operationId: string, { wallet, signature }: WaitOptions): void {
  const field = !isOperationId(operationId)
    ? 'operationId'
    : wallet !== undefined && !isAddress(wallet)
      ? 'wallet'
      : signature !== undefined && !isSignature(signature)
        ? 'signature'
        : null;
  if (!field) return;
  throw new ServiceError('INVALID_ARGUMENT', {
    message: `${field} must be ${MUST_BE[field]}.`,
    context: { field },
  });
}

const MUST_BE = {
  operationId: 'the UUID of an operation',
  wallet: 'the base58 address of the wallet that signed it',
  signature: 'the base58 signature that the wallet gave for it',
};

function unsigned(core: ClientCore, operationId: string, state: OperationState | null): ServiceError {
  if (state === 'EXPIRED') return neverSigned(core, operationId);
  return new ServiceError('OPERATION_NOT_SIGNED', {
    message: `This client prepared the operation ${operationId} and has not signed it. Sign it with client.signAndSubmit(wallet, prepared), or leave it and prepare again.`,
    context: { operationId },
  });
}

function neverSigned(core: ClientCore, operationId: string): ServiceError {
  core.dead.add(operationId);
  core.store.leave(operationId);
  return new ServiceError('DRAFT_EXPIRED', {
    message: `The operation ${operationId} was never signed, and no signature of it can land any more. Prepare again.`,
    context: {},
  });
}

function nobodysWallet(operationId: string, state: OperationState | null): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `Whether ${operationId} was signed is not known: the service says ${state ?? 'nothing of it'}, and without the wallet your own RPC cannot be searched. Sign in first with client.authenticate(wallet, genesisHash), or pass the wallet: client.resume('${operationId}', { wallet }).`,
    context: { operationId, ...(state ? { answer: state } : {}) },
  });
}

function unknown(operationId: string, state: OperationState | null, timeoutMs: number): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `Whether ${operationId} was signed is not known after ${timeoutMs} ms: the service says ${state ?? 'nothing of it'}, and what was signed may still land, or your own RPC's history is too short. Do not repeat it; ask again with client.resume('${operationId}').`,
    context: { operationId, ...(state ? { answer: state } : {}) },
  });
}
