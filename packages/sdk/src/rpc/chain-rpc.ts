/** The caller's own RPC: what the client asks of it, and the one check that it is an RPC of the deployment's cluster. */
import type { ChainReader } from '@service/protocol';
import {
  type Commitment,
  createSolanaRpc,
  type GetBalanceApi,
  type GetEpochInfoApi,
  type GetFirstAvailableBlockApi,
  type GetGenesisHashApi,
  type GetLatestBlockhashApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  type GetSignatureStatusesApi,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  type IsBlockhashValidApi,
  type Rpc,
  type SendTransactionApi,
} from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { throwIfAborted, withDeadline } from '../lib/deadline.ts';

/** A Solana RPC of `@solana/kit`, as `createSolanaRpc` makes it. Not in SPEC.md: your own view of the chain. */
export type ChainRpc = Rpc<
  GetBalanceApi &
    GetEpochInfoApi &
    GetFirstAvailableBlockApi &
    GetGenesisHashApi &
    GetLatestBlockhashApi &
    GetMinimumBalanceForRentExemptionApi &
    GetMultipleAccountsApi &
    GetSignatureStatusesApi &
    GetSignaturesForAddressApi &
    GetTransactionApi &
    IsBlockhashValidApi &
    SendTransactionApi
>;

/** The caller's view of one deployment's chain. */
export interface Chain {
  readonly deployment: Deployment;
  readonly rpc: ChainRpc;
}

/** The chain of a deployment, through the caller's RPC or the one that the deployment pins. */
export function chainOf(deployment: Deployment, rpc: ChainRpc | undefined): Chain {
  return { deployment, rpc: rpc ?? createSolanaRpc(deployment.rpcUrl) };
}

/** A reader of the program's accounts. */
export function readerOf(
  chain: Chain,
  signal?: AbortSignal,
  commitment: Commitment = 'finalized',
): ChainReader {
  return { rpc: chain.rpc, program: chain.deployment.program, commitment, signal };
}

/** Milliseconds after which an RPC that does not answer has failed. */
export const MOST_RPC_MS = 30_000;

/**
 * Asks the RPC something, for 30 seconds at most. What `ask` makes of the answer belongs into it: an answer that cannot
 * be read is a failure of the RPC.
 *
 * @throws ServiceError RPC_ERROR with the RPC's error as cause, or ABORTED; a ServiceError passes as it is.
 */
export async function askRpc<T>(
  what: string,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline({ signal, timeoutMs: MOST_RPC_MS, what }, ask);
  } catch (error) {
    if (isServiceError(error) && error.code !== 'TIMEOUT') throw error;
    throwIfAborted(signal, what);
    throw new ServiceError('RPC_ERROR', {
      message: `${what} failed on your own RPC. Check rpcUrl of the deployment, or the rpc option, and try again.`,
      context: {},
      cause: error,
    });
  }
}

/**
 * Checks that the caller's RPC is one of the deployment's cluster.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
 */
export async function checkGenesisHash(chain: Chain, signal?: AbortSignal): Promise<void> {
  const expected = chain.deployment.genesisHash;
  const received = await askRpc('getGenesisHash', signal, () =>
    chain.rpc.getGenesisHash().send(sendOptions(signal)),
  );
  if (received === expected) return;
  throw new ServiceError('GENESIS_HASH_MISMATCH', {
    message: `Your RPC is of the cluster ${received}, the deployment of ${expected}. Point rpcUrl at the right cluster. Nothing was signed by this call.`,
    context: { source: 'rpc', expected, received },
  });
}

/**
 * The newest height and slot that are final on the caller's RPC.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function askFinalized(
  { rpc }: Pick<Chain, 'rpc'>,
  signal: AbortSignal | undefined,
): Promise<{ height: bigint; slot: bigint }> {
  return askRpc('getEpochInfo', signal, async () => {
    const answer = await rpc.getEpochInfo({ commitment: 'finalized' }).send(sendOptions(signal));
    // Of no number BigInt makes none: an absence is not proven by what a node leaves out.
    return { height: BigInt(answer.blockHeight), slot: BigInt(answer.absoluteSlot) };
  });
}

/** The options of kit's `send`. */
export function sendOptions(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}
