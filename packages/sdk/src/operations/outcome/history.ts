/** The client's RPC calls and limit for the protocol's proofs of absence. */
import type { CallHistory } from '@service/protocol/absence/finalized-reads';
import { callRpc, type OwnRpc } from '../../rpc/chain.ts';

/** Returns the calls that a proof of absence makes. They throw ServiceError RPC_ERROR, ABORTED. */
export function historyOf(own: OwnRpc, signal: AbortSignal | undefined): CallHistory {
  return (method, read) => callRpc(own, method, signal, read);
}

/**
 * Blocks by which two nodes of one RPC can differ. Agave calls a node healthy if it is up to 128 slots behind, and there
 * are no more blocks than slots. With a lower number, the client could call a transaction absent that can still land.
 */
export const NODES_APART = 128n;
