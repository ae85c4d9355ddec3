/** Calls the caller's own RPC, and checks that it belongs to the deployment's cluster. */
import { type ChainReader, type PinnedArtifacts, PlanError } from '@service/protocol';
import { type CallHistory, readFinalizedTip } from '@service/protocol/absence/finalized-reads';
import { createSolanaRpc } from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { type Clock, type Moment, momentOf, mostSince, throwIfAborted, withDeadline } from '../lib/clock.ts';
import { isMistake, unexpectedError } from '../lib/unexpected-error.ts';
import { type ChainRpc, checkedRpc, limitOf, type SendOptions } from './checked-rpc.ts';
import type { ConfirmedOptions } from './confirmed-options.ts';

/** The caller's own RPC. */
export interface OwnRpc {
  /** The RPC, or the URL of one that is opened at the first call. */
  readonly rpc: ChainRpc | string;
  /** Limits each call in time. */
  readonly clock: Clock;
  /** The RPC with checked answers, once it is open. */
  checked?: ChainRpc;
}

/** The circuit that a pinned manifest describes. */
export interface PinnedCircuit extends PinnedArtifacts {
  readonly id: string;
}

/** The caller's view of one deployment's chain. */
export interface Chain extends OwnRpc {
  readonly deployment: Deployment;
  /** Whether the RPC was seen to be one of the deployment's cluster. A cluster never changes its genesis hash. */
  isOfCluster?: boolean;
  /** The height that {@link readHeight} last read. */
  height?: Height;
  /** Called when a transaction is confirmed that a function of `@service/sdk/chain` has sent. */
  readonly onConfirmed?: ConfirmedOptions['onConfirmed'];
  /** The circuit of the pinned manifest, once a client has fetched that. */
  circuit?: PinnedCircuit | undefined;
}

/** The last height at which the newest blockhash of a slot is valid. */
interface Height {
  readonly slot: bigint;
  readonly lastValidBlockHeight: bigint;
  readonly since: Moment;
}

/** Returns the RPC, whose answers are checked. Opens it if only its URL is known. */
export function rpcOf(own: OwnRpc): ChainRpc {
  const { rpc, clock } = own;
  own.checked ??= checkedRpc(typeof rpc === 'string' ? createSolanaRpc(rpc) : rpc, {
    name: nameOf(own),
    clock,
    mostMs: MOST_RPC_MS,
  });
  return own.checked;
}

/** Returns the name of the RPC in messages: only its host, because a URL can contain a key. */
function nameOf({ rpc }: OwnRpc): string {
  return `your own RPC${typeof rpc === 'string' ? ` ${new URL(rpc).host}` : ''}`;
}

/** Returns a reader of the program's accounts at finalized commitment. Call it within {@link callRpc}. */
export function readerOf(chain: Chain, { abortSignal }: SendOptions): ChainReader {
  const { program } = chain.deployment;
  return { rpc: rpcOf(chain), program, commitment: 'finalized', signal: abortSignal };
}

/** Milliseconds that the client waits for an answer of the RPC. */
export const MOST_RPC_MS = 30_000;

/** Returns a fallback if the RPC fails, because the next look asks it again. Throws every other error. */
export async function orIfRpcFails<T, F>(reading: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await reading;
  } catch (error) {
    if (isServiceError(error, 'RPC_ERROR')) return fallback;
    throw error;
  }
}

/**
 * Calls the RPC, for 30 seconds at most. Read the answer within `call`: an answer that cannot be read is an RPC_ERROR.
 *
 * @throws ServiceError RPC_ERROR with the RPC's error as cause, ABORTED; UNEXPECTED_ERROR if `call` has a
 *   mistake. Throws a ServiceError of `call` unchanged.
 */
export async function callRpc<T>(
  own: OwnRpc,
  what: string,
  signal: AbortSignal | undefined,
  call: (rpc: ChainRpc, options: SendOptions) => Promise<T>,
): Promise<T> {
  try {
    const bounds = { clock: own.clock, signal, timeoutMs: MOST_RPC_MS, what };
    return await withDeadline(bounds, (abortSignal) => call(rpcOf(own), { abortSignal }));
  } catch (error) {
    if (isServiceError(error) && error.code !== 'TIMEOUT') throw error;
    throwIfAborted(signal, what);
    if (isMistake(error)) throw unexpectedError(what, error);
    const remedy = limitOf(error)
      ? 'It limits its requests. Try again later, or use another RPC or a paid one: change rpcUrl of the deployment, or pass rpc.'
      : 'Check rpcUrl of the deployment, or the rpc option, and try again.';
    throw new ServiceError('RPC_ERROR', {
      message: `${what} failed on ${nameOf(own)}. ${remedy}`,
      cause: error,
    });
  }
}

/**
 * Runs a plan or a check of the protocol on the caller's own RPC.
 *
 * @throws ServiceError the code of the PlanError that `read` throws, RPC_ERROR, ABORTED
 */
export function readForPlan<T>(
  chain: Chain,
  signal: AbortSignal | undefined,
  read: (reader: ChainReader) => Promise<T>,
): Promise<T> {
  return callRpc(chain, 'Reading the accounts of the operation', signal, async (_rpc, bounds) => {
    try {
      return await read(readerOf(chain, bounds));
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      throw new ServiceError(error.code, {
        message: `Nothing was sent, because your own RPC shows a problem. ${error.message}`,
      });
    }
  });
}

/** Returns the genesis hash of an RPC's cluster. Throws ServiceError RPC_ERROR, ABORTED. */
export function readGenesisHash(own: OwnRpc, signal: AbortSignal | undefined) {
  return callRpc(own, 'getGenesisHash', signal, (rpc, options) => rpc.getGenesisHash().send(options));
}

/**
 * Checks, once for each RPC, that the caller's RPC belongs to the deployment's cluster.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
 */
export async function checkGenesisHash(chain: Chain, signal?: AbortSignal): Promise<void> {
  if (chain.isOfCluster) return;
  const expected = chain.deployment.genesisHash;
  const received = await readGenesisHash(chain, signal);
  chain.isOfCluster = received === expected;
  if (chain.isOfCluster) return;
  throw new ServiceError('GENESIS_HASH_MISMATCH', {
    message: `Your RPC belongs to the cluster ${received}, but the deployment to ${expected}. Pass an RPC of the deployment's cluster. Nothing was signed by this call.`,
    context: { source: 'rpc', expected, received },
  });
}

/** Returns the calls that the protocol's proofs of absence make. They throw ServiceError RPC_ERROR, ABORTED. */
export function historyOf(own: OwnRpc, signal: AbortSignal | undefined): CallHistory {
  return (method, read) => callRpc(own, method, signal, read);
}

/**
 * Blocks by which two nodes of one RPC can differ. Agave calls a node healthy if it is up to 128 slots behind, and there
 * are no more blocks than slots. With a lower number, the client could call a transaction absent that can still land.
 */
export const NODES_APART = 128n;

/** Returns the newest height and slot that are final on the caller's RPC. Throws ServiceError RPC_ERROR, ABORTED. */
export function readFinalized(
  own: OwnRpc,
  signal: AbortSignal | undefined,
): Promise<{ height: bigint; slot: bigint }> {
  return readFinalizedTip(historyOf(own, signal));
}

/**
 * Returns the newest confirmed blockhash, its slot, and the last height at which it is valid.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function readLatestBlockhash(own: OwnRpc, signal: AbortSignal | undefined) {
  return callRpc(own, 'getLatestBlockhash', signal, async (rpc, options) => {
    const { context, value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(options);
    return { ...value, slot: context.slot };
  });
}

/**
 * Milliseconds for which a height is used. Each slot without a block makes its bound one too high. At the end of this time,
 * an absence is proven up to 30 seconds later than necessary.
 */
const HEIGHT_MS = 600_000;

/**
 * Returns a bound of heights: `lastValidBlockHeight`, and one more for each later slot. It stays true, because there are
 * never more blocks than slots.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function readHeight(chain: Chain, signal: AbortSignal | undefined): Promise<Height> {
  const { clock } = chain;
  const since = momentOf(clock);
  if (!chain.height || mostSince(clock, chain.height.since) > HEIGHT_MS)
    chain.height = { ...(await readLatestBlockhash(chain, signal)), since };
  return chain.height;
}
