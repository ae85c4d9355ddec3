/** The proof, from one node's answers, that a transaction did not land and can no longer land. */
import { memoText } from '@service/protocol';
import {
  getTransactionDecoder,
  isSolanaError,
  type Rpc,
  type Signature,
  type Slot,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  type SolanaRpcApi,
  type TransactionError,
} from '@solana/kit';
import { messageToSign, type OperationRow } from '../tables.ts';
import { signatureStatuses } from './statuses.ts';

/** The result of asking one node about a signature that it does not know. */
export type Absence =
  /** The transaction can still land. */
  | { readonly verdict: 'possible' }
  /** It did not land and can no longer land. */
  | { readonly verdict: 'absent' }
  /** It landed. */
  | { readonly verdict: 'landed'; readonly slot: Slot; readonly err: TransactionError | null }
  /** It can no longer land, and this node cannot prove whether it did. */
  | { readonly verdict: 'unprovable' }
  /** The node did not answer. */
  | { readonly verdict: 'silent' };

/** Signatures of the wallet on one page, and the pages that are read at most. Beyond that nothing is proven. */
const PAGE = 1_000;
const MAX_PAGES = 5;
/**
 * Transactions with the operation's memo that are read at most. Anyone can copy a memo at little cost. Without a limit,
 * a thousand copies for one operation would occupy every step of the worker.
 */
const MAX_NAMESAKES = 32;

const UNPROVABLE: Absence = { verdict: 'unprovable' };

/**
 * Asks one node for all parts of the proof, and throws the errors of the RPC:
 *
 * 1. Its finalized block height is past the last valid one.
 * 2. It does not know the signature, as of that height's slot or later.
 * 3. None of the wallet's finalized transactions since the draft is this operation under another signature.
 * 4. Its history reaches back to the draft.
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
  // The answer is older than the height, or the node knows the transaction but not as finalized.
  if (status || contextSlot < tip.absoluteSlot) return UNPROVABLE;

  const namesakes = await namesakesOf(rpc, row, { minContextSlot: tip.absoluteSlot, callSignal }).catch(
    (error: unknown) => {
      // The node deleted the transaction where the next page begins, so it cannot list the rest.
      if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND))
        return null;
      throw error;
    },
  );
  if (!namesakes || namesakes.length > MAX_NAMESAKES) return UNPROVABLE;
  for (const signature of namesakes) {
    const found = await compare(rpc, row, signature, callSignal());
    if (found) return found;
  }
  // This comes last: the first available block only rises, so it also covers the reads above.
  const first = await rpc.getFirstAvailableBlock().send({ abortSignal: callSignal() });
  return first <= row.draft_slot ? { verdict: 'absent' } : UNPROVABLE;
}

/** Returns the wallet's finalized transactions since the draft with the operation's memo, or null if there are too many. */
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
 * Compares a transaction that has the operation's memo. The same message under another signature is the operation.
 * Another message signed by the wallet may have the same effect, so nothing is proven. Others' transactions are ignored.
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
  if (Buffer.compare(new Uint8Array(messageBytes), messageToSign(row)) === 0) {
    return { verdict: 'landed', slot: found.slot, err: found.meta.err };
  }
  return Object.hasOwn(signatures, row.wallet) ? UNPROVABLE : null;
}
