/** Proves by the caller's own RPC that a signed transaction did not land and cannot land any more. */
import type { Signature } from '@solana/kit';
import { type Chain, callRpc, readFinalized } from '../rpc/chain-rpc.ts';
import { findByMemo } from './find-by-memo.ts';
import type { SignedOperation } from './outcome.ts';

/**
 * Returns whether a signed transaction is certainly absent from the chain. Four facts prove that: its blockhash has expired at
 * finalized commitment; a node past that height knows no status of it; no finalized transaction of the wallet has the memo;
 * the history of the RPC reaches back to before the signature. This is one look, and callers look twice.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function isAbsent(
  chain: Chain,
  signed: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { height, slot } = await readFinalized(chain, signal);
  if (height <= signed.lastValidBlockHeight) return false;
  if (!(await isUnreportedOf(chain, signed.signature, slot, signal))) return false;
  const asFinalIn = { backTo: signed.signedAtSlot, asOf: slot };
  if ((await findByMemo(chain, signed, asFinalIn, signal)) !== null) return false;
  // Read last, because it only grows.
  return (await firstBlockOf(chain, signal)) <= signed.signedAtSlot;
}

/** Returns whether a node that has reached a slot does not know a signature. Throws ServiceError RPC_ERROR, ABORTED. */
export function isUnreportedOf(
  { rpc }: Chain,
  signature: Signature,
  asOf: bigint,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return callRpc('getSignatureStatuses', signal, async (options) => {
    const config = { searchTransactionHistory: true } as const;
    const { context, value } = await rpc.getSignatureStatuses([signature], config).send(options);
    return context.slot >= asOf && value[0] === null;
  });
}

/** Returns the first slot that the history of the caller's RPC holds. Throws ServiceError RPC_ERROR, ABORTED. */
export function firstBlockOf({ rpc }: Chain, signal: AbortSignal | undefined): Promise<bigint> {
  return callRpc('getFirstAvailableBlock', signal, async (options) =>
    // BigInt throws for null. A comparison would treat null as zero.
    BigInt(await rpc.getFirstAvailableBlock().send(options)),
  );
}

/** Milliseconds between the two looks that make an absence certain. */
const ABSENCE_GAP_MS = 3_000;

/** Returns a function that takes the result of each look, and says whether two looks in a row make it certain. */
export function twoLooks(): (isAbsentNow: boolean) => boolean {
  let since: number | null = null;
  return (isAbsentNow) => {
    const now = performance.now();
    if (!isAbsentNow) since = null;
    else if (since !== null) return now - since >= ABSENCE_GAP_MS;
    else since = now;
    return false;
  };
}
