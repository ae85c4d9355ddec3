/** Proves with the answers of one node that a transaction never landed and never can. */
import { memoText } from '@service/protocol';
import {
  getTransactionDecoder,
  type Rpc,
  type Signature,
  type Slot,
  type SolanaRpcApi,
  type TransactionError,
} from '@solana/kit';
import type { OperationRow } from '../tables.ts';
import { signatureStatuses } from './statuses.ts';

/** The result for one node and a signature that it does not know. */
export type Absence =
  /** It can still land. */
  | { readonly verdict: 'possible' }
  /** It has not landed and cannot any more. */
  | { readonly verdict: 'absent' }
  /** It has landed after all. */
  | { readonly verdict: 'landed'; readonly slot: Slot; readonly err: TransactionError | null }
  /** It cannot land any more, and this node cannot prove whether it has. */
  | { readonly verdict: 'unprovable' }
  /** The node did not respond. */
  | { readonly verdict: 'silent' };

/** Signatures per page, and the maximum number of pages. With more signatures there is no proof. */
const PAGE = 1_000;
const MAX_PAGES = 5;
/**
 * Maximum number of transactions with the operation's memo to read. Anyone can copy a memo: without a limit, an operation with a
 * thousand cheap copies would use every step of the worker.
 */
const MAX_NAMESAKES = 32;

const UNPROVABLE: Absence = { verdict: 'unprovable' };

/**
 * Asks one node for everything that the proof takes: its finalized height is past the last valid one; it does not know
 * the signature, as of a slot no earlier than that; none of the wallet's finalized transactions since the draft is this
 * operation's, under whatever signature; and its own history reaches back to the draft. Throws what the RPC throws.
 *
 * @param callSignal makes the signal of one call
 */
export async function proveAbsence(
  rpc: Rpc<SolanaRpcApi>,
  row: OperationRow,
  callSignal: () => AbortSignal,
): Promise<Absence> {
  const tip = await rpc.getEpochInfo({ commitment: 'finalized' }).send({ abortSignal: callSignal() });
  if (tip.blockHeight <= row.last_valid_block_height) return { verdict: 'possible' };

  const { contextSlot, statuses } = await signatureStatuses(rpc, [row.signature as Signature], callSignal());
  const status = statuses[0];
  if (status?.confirmationStatus === 'finalized') return { verdict: 'landed', ...status };
  // A node whose answer is older than the height that was just read, or that has seen it but not as final.
  if (status || contextSlot < tip.absoluteSlot) return UNPROVABLE;

  const namesakes = await namesakesOf(rpc, row, { minContextSlot: tip.absoluteSlot, callSignal });
  if (!namesakes || namesakes.length > MAX_NAMESAKES) return UNPROVABLE;
  for (const signature of namesakes) {
    const found = await compare(rpc, row, signature, callSignal());
    if (found) return found;
  }
  // Asked last, because it only grows: what was read above lies after it.
  const first = await rpc.getFirstAvailableBlock().send({ abortSignal: callSignal() });
  return first <= row.draft_slot ? { verdict: 'absent' } : UNPROVABLE;
}

/** Returns the wallet's finalized transactions since the draft with the operation's memo, or null when there are too many. */
async function namesakesOf(
  rpc: Rpc<SolanaRpcApi>,
  row: OperationRow,
  options: { minContextSlot: Slot; callSignal: () => AbortSignal },
): Promise<Signature[] | null> {
  const memo = memoText(row.id);
  const namesakes: Signature[] = [];
  let before: Signature | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const entries = await rpc
      .getSignaturesForAddress(row.wallet, {
        commitment: 'finalized',
        minContextSlot: options.minContextSlot,
        limit: PAGE,
        ...(before ? { before } : {}),
      })
      .send({ abortSignal: options.callSignal() });
    const since = entries.filter(({ slot }) => slot >= row.draft_slot);
    namesakes.push(...since.filter((entry) => entry.memo?.includes(memo)).map(({ signature }) => signature));
    before = entries.at(-1)?.signature;
    if (since.length < PAGE || !before) return namesakes;
  }
  return null;
}

/**
 * Compares a transaction that has the operation's memo. The same message with another signature is the operation.
 * Another message that the wallet signed may have had the same effect, so nothing is proven. One of another wallet is ignored.
 */
async function compare(
  rpc: Rpc<SolanaRpcApi>,
  row: OperationRow,
  signature: Signature,
  abortSignal: AbortSignal,
): Promise<Absence | null> {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send({ abortSignal });
  if (!found?.meta) return UNPROVABLE;
  const wire = new Uint8Array(Buffer.from(found.transaction[0], 'base64'));
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
  if (Buffer.compare(new Uint8Array(messageBytes), row.message) === 0) {
    return { verdict: 'landed', slot: found.slot, err: found.meta.err };
  }
  return Object.hasOwn(signatures, row.wallet) ? UNPROVABLE : null;
}
