/** Proves by the caller's own RPC that a signed transaction did not land and cannot land any more. */
import type { Signature } from '@solana/kit';
import { type Chain, callRpc, type OwnRpc, readFinalized } from '../../rpc/chain.ts';
import { findByMemo, type HistoryStart } from './find-by-memo.ts';
import type { HeldTransaction, SignedOperation } from './ledger.ts';

/**
 * Blocks by which two nodes of one RPC can differ. Agave calls a node healthy if it is up to 128 slots behind, and there
 * are no more blocks than slots. With a lower number, the client could call a transaction absent that can still land.
 */
export const NODES_APART = 128n;

/**
 * Returns whether a signed transaction is certainly absent from the chain. Four facts prove that: its blockhash has expired at
 * finalized commitment; a node past that height knows no status of it; no finalized transaction of the wallet has the memo;
 * the history of the RPC reaches back to before the signature. This is one look, and callers look twice. If another
 * transaction with the memo has landed (`isMemoUsed`), the other three facts must do.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function isAbsent(
  chain: Chain,
  signed: Omit<SignedOperation, 'kind' | 'signature'> &
    Pick<HeldTransaction, 'signature'> & { readonly isMemoUsed?: boolean },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { height, slot } = await readFinalized(chain, signal);
  if (height <= signed.lastValidBlockHeight) return false;
  const { signature } = signed;
  if (signature && !(await isUnreportedOf(chain, signature, slot, signal))) return false;
  const asFinalIn = { backTo: { slot: signed.signedAtSlot }, asOf: slot };
  if (!signed.isMemoUsed && (await findByMemo(chain, signed, asFinalIn, signal)) !== null) return false;
  // Read last, because it only grows.
  return reachesBackTo(chain, { slot: signed.signedAtSlot }, signal);
}

/** Returns whether a node that has reached a slot does not know a signature. Throws ServiceError RPC_ERROR, ABORTED. */
export function isUnreportedOf(
  own: OwnRpc,
  signature: Signature,
  asOf: bigint,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return callRpc(own, 'getSignatureStatuses', signal, async (rpc, options) => {
    const config = { searchTransactionHistory: true } as const;
    const { context, value } = await rpc.getSignatureStatuses([signature], config).send(options);
    return context.slot >= asOf && value[0] === null;
  });
}

/** Returns whether the history of the caller's RPC holds every block since a moment. Throws ServiceError RPC_ERROR, ABORTED. */
export function reachesBackTo(
  own: OwnRpc,
  start: HistoryStart,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return callRpc(own, 'getFirstAvailableBlock', signal, async (rpc, options) => {
    // BigInt throws for null. A comparison would treat null as zero.
    const first = BigInt(await rpc.getFirstAvailableBlock().send(options));
    if ('slot' in start) return first <= start.slot;
    return first === 0n || BigInt(await rpc.getBlockTime(first).send(options)) <= start.time;
  });
}
