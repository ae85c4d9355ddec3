/** Taking up an operation after a reload: nothing is remembered of it, and nothing is ever signed here. */
import type { Operation, OperationState } from '@service/contract';
import { memoText } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { CLOCK_TOLERANCE_SECONDS } from '../auth/check-challenge.ts';
import type { ClientCore } from '../client/core.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { backoff, pause, withDeadline } from '../lib/deadline.ts';
import { notify } from '../lib/notify.ts';
import { actionUnder, readLanded } from '../receipt/read-landed.ts';
import { askFinalized, askRpc, checkGenesisHash, sendOptions } from '../rpc/chain-rpc.ts';
import { checkWhich } from './check-which.ts';
import {
  findByMemo,
  firstBlockOf,
  type HistoryWindow,
  isUnheardOf,
  type SignedOperation,
} from './outcome.ts';
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
/**
 * Blocks by which the node that a signature was checked on may have been ahead of the one that is asked now. Agave calls
 * a node healthy that is up to 128 slots behind, so that a provider asks it; there are no more blocks than slots. With
 * fewer, what can still land would be called absent; with these an absence is known half a minute later.
 */
const NODES_APART = 128n;
/** More slots than pass in a second. */
const SLOTS_PER_SECOND = 4n;

/** See `ServiceClient.resume`. */
export async function resume(
  core: ClientCore,
  operationId: string,
  options: WaitOptions,
): Promise<FinalizedOperation> {
  checkWhich(operationId, options);
  const { signal, timeoutMs = 180_000, onState, wallet, signature, preparedAt } = options;
  if (preparedAt !== undefined && typeof preparedAt !== 'bigint')
    throw invalidArgument('preparedAt', 'preparedAt must be a bigint of Unix seconds.');
  if (core.ledger.signedOperation(operationId)) return waitForOperation(core, operationId, options);
  const deadline = performance.now() + timeoutMs;
  const search: Search = {
    core,
    operationId,
    signal,
    wallets: wallet ? [wallet] : [...core.ownWallets],
    wallet,
    signature,
    preparedAt,
    onState,
    state: null,
    others: new Set(),
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
      notify(() => search.onState?.(operation.state, operation));
    }
    if (core.ledger.isUnsigned(operationId)) throw unsigned(core, operationId, search.state);
    if (search.wallets.length === 0 && !search.signature) throw nobodysWallet(operationId, search.state);
    const found = await look(search);
    if (typeof found === 'object') return found;
    if (found === 'ABSENT' && !mayBeSent(search)) {
      const now = performance.now();
      if (absentSince !== null && now - absentSince >= ABSENCE_GAP_MS) throw absent(search, operation);
      absentSince ??= now;
    }
    await pause(delay, search.signal, 'resume');
  }
  throw new Error('unreachable');
}

/** Whether this client knows better than a search that finds nothing: a wallet is asked, or the chain has shown it. */
function mayBeSent({ core, operationId, signature }: Search): boolean {
  const { ledger } = core;
  return !signature && (ledger.stateOf(operationId) === 'ASKING' || ledger.wasSent(operationId));
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
  /** Unix seconds before which it was not prepared, by the caller's word. */
  readonly preparedAt: bigint | undefined;
  readonly onState: WaitOptions['onState'];
  /** As the service last told it. */
  state: OperationState | null;
  /** See {@link HistoryWindow}. */
  readonly others: Set<string>;
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
 * Looks for the operation on the chain, whatever the service calls it. If it is there it is followed from here on as one
 * that this client signed: by the chain alone. ABSENT when it is not and nothing of it can land any more; UNCLEAR while
 * something can, when the RPC fails or cannot know, or has the memo on something else.
 */
async function look(search: Search): Promise<SignedOperation | 'ABSENT' | 'UNCLEAR'> {
  const { core, signature, signal } = search;
  try {
    search.start ??= await readStart(core, signal);
    // Before the search: what a node shows that has come so far has all that could land.
    const past = await pastWindow(search, search.start);
    const trace = await findTrace(search, past ?? { backTo: 0n, asOf: 0n });
    if (trace || past === null) return trace ?? 'UNCLEAR';
    return !signature || (await isUnheardOf(core, signature, past.asOf, signal)) ? 'ABSENT' : 'UNCLEAR';
  } catch (error) {
    // Asked again in the next round.
    if (isServiceError(error, 'RPC_ERROR') || isServiceError(error, 'RECEIPT_INVALID')) return 'UNCLEAR';
    throw error;
  }
}

/** What the chain shows of it in a window; null when it shows nothing. */
async function findTrace(search: Search, window: HistoryWindow): Promise<SignedOperation | 'UNCLEAR' | null> {
  const { core, operationId, signal, wallets, wallet: only, signature: own, others } = search;
  const trace = own && (await traceOf(search, own, only));
  if (trace) return trace;
  for (const wallet of wallets) {
    const signature = await findByMemo(core, { operationId, wallet }, { ...window, others }, signal);
    // Beside an own signature, another one of the same wallet may be of the same message.
    if (signature) return (!own && (await traceOf(search, signature, wallet))) || 'UNCLEAR';
  }
  return null;
}

/** What the chain shows under a signature, or null. */
async function traceOf(
  { core, operationId, signal, signature: own }: Search,
  signature: Signature,
  wallet: Address | undefined,
): Promise<SignedOperation | 'UNCLEAR' | null> {
  const landed = await readLanded(core.rpc, signature, signal);
  if (!landed) return null;
  const action = await actionUnder(core.rpc, core.deployment.program, landed, signal);
  const isOther = landed.memo !== memoText(operationId) || (wallet !== undefined && landed.wallet !== wallet);
  if (isOther && own) throw ofAnother();
  if (!action || isOther) return 'UNCLEAR';
  core.ledger.end(operationId);
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

/** Where the chain stands when a search begins. After a reload the RPC may be one of another cluster. */
async function readStart(
  core: ClientCore,
  signal: AbortSignal | undefined,
): Promise<NonNullable<Search['start']>> {
  await checkGenesisHash(core, signal);
  return askRpc('getLatestBlockhash', signal, async () => {
    const { context, value } = await core.rpc
      .getLatestBlockhash({ commitment: 'confirmed' })
      .send(sendOptions(signal));
    const lastValidBlockHeight = BigInt(value.lastValidBlockHeight) + NODES_APART;
    return { slot: BigInt(context.slot), lastValidBlockHeight };
  });
}

/**
 * From before the operation was prepared to a finalized slot in which nothing that was signed before this search can land
 * any more, when the RPC's history reaches back that far: then what it has not shown does not exist. A blockhash that
 * was valid at the start is dead by then, whatever it was. Null before that, and when the RPC cannot tell.
 */
async function pastWindow(
  { core, preparedAt, signal }: Search,
  start: NonNullable<Search['start']>,
): Promise<HistoryWindow | null> {
  try {
    const { height, slot } = await askFinalized(core, signal);
    if (height <= start.lastValidBlockHeight) return null;
    // The service's word on when it was prepared does not count: it could say that it was after what it hides.
    const age = preparedAt === undefined ? start.slot : core.now() - preparedAt + CLOCK_TOLERANCE_SECONDS;
    const preparedIn = start.slot - (age > 0n ? age : 0n) * SLOTS_PER_SECOND;
    const backTo = preparedIn > 0n ? preparedIn : 0n;
    return (await firstBlockOf(core, signal)) <= backTo ? { backTo, asOf: slot } : null;
  } catch (error) {
    if (isServiceError(error, 'RPC_ERROR')) return null;
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

/** What it means that nothing of it can land any more. */
function absent(search: Search, operation: Operation | null): ServiceError {
  const { core, operationId, signature, wallet, wallets, state } = search;
  if (signature) return failed(search, { operationId, reason: 'NEVER_LANDED' });
  // Of a wallet that was not looked for nothing is known: a service tells a wallet nothing of another one's operations.
  const isOfWallet = operation ? wallets.includes(operation.wallet) : wallet !== undefined;
  return isOfWallet ? neverSigned(core, operationId) : otherWallet(operationId, wallets, state);
}

function unsigned(core: ClientCore, operationId: string, state: OperationState | null): ServiceError {
  if (state === 'EXPIRED' || core.ledger.isOver(operationId)) return neverSigned(core, operationId);
  return new ServiceError('OPERATION_NOT_SIGNED', {
    message: `This client prepared the operation ${operationId} and has not signed it. Sign it with client.signAndSubmit(wallet, prepared), or leave it and prepare again.`,
    context: { operationId },
  });
}

function neverSigned(core: ClientCore, operationId: string): ServiceError {
  core.ledger.expire(operationId);
  return new ServiceError('DRAFT_EXPIRED', {
    message: `The operation ${operationId} was never signed, and no signature of it can land any more. Prepare again.`,
    context: {},
  });
}

function otherWallet(
  operationId: string,
  wallets: readonly Address[],
  state: OperationState | null,
): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `Whether ${operationId} was signed is not known: not by ${wallets.join(', ')}, but nothing shows that it was prepared for that wallet. Pass the wallet that it was prepared for: client.resume('${operationId}', { wallet }). Do not repeat it before.`,
    context: { operationId, ...(state ? { answer: state } : {}) },
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
    message: `Whether ${operationId} was signed is not known after ${timeoutMs} ms: the service says ${state ?? 'nothing of it'}, and what was signed may still land, or the history of your own RPC does not reach back to the beginning. Do not repeat it; ask again with client.resume('${operationId}'), with preparedAt or of an RPC with all of the history.`,
    context: { operationId, ...(state ? { answer: state } : {}) },
  });
}
