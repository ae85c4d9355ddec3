/** Finds an operation in the history of a wallet, by the memo of its transaction. */
import { memoText } from '@service/protocol';
import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Signature,
} from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import { type Chain, callRpc, fetchTransaction } from '../../rpc/chain.ts';
import type { SignedOperation } from './ledger.ts';

const PAGE = 1_000;

/** A moment before which nothing is searched: a slot, or a block time in Unix seconds. */
export type HistoryStart = { readonly slot: bigint } | { readonly time: bigint };

/** The part of a wallet's history to search. */
export interface HistoryWindow {
  readonly backTo: HistoryStart;
  /** The slot that the node must have reached; 0 if finding nothing would prove nothing. */
  readonly asOf: bigint;
  /** Wallets with signatures that belong to something else. Kept over several searches, so that each is read once. */
  readonly others?: Set<string>;
}

/**
 * Returns the newest finalized transaction that a wallet signed with the memo of an operation, or null. Another wallet's
 * transaction can name this wallet and carry any memo, so the signers are read too.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function findByMemo(
  chain: Chain,
  { operationId, wallet }: Pick<SignedOperation, 'operationId' | 'wallet'>,
  { backTo, asOf, others = new Set() }: HistoryWindow,
  signal: AbortSignal | undefined,
): Promise<Signature | null> {
  const memo = memoText(operationId);
  const seen = new Set<Signature>();
  let before: Signature | undefined;
  for (;;) {
    const window = {
      commitment: 'finalized',
      limit: PAGE,
      ...(asOf > 0n ? { minContextSlot: asOf } : {}),
      ...(before ? { before } : {}),
    } as const;
    const page = await callRpc(chain, 'getSignaturesForAddress', signal, async (rpc, options) =>
      Array.from(await rpc.getSignaturesForAddress(wallet, window).send(options)),
    );
    for (const { signature, memo: carried, ...place } of page) {
      // Some RPCs return no memos. To prove an absence, the transaction itself is then read.
      const isUnknown = !carried && asOf > 0n && !isBefore(place, backTo);
      if (!(isUnknown || carried?.includes(memo)) || others.has(wallet + signature)) continue;
      // A memo that the RPC does return counts, whatever transaction it shows.
      const wanted = isUnknown ? memo : '';
      if (await mayBeOf(chain, { signature, wallet, memo: wanted }, signal)) return signature;
      others.add(wallet + signature);
    }
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || isBefore(oldest, backTo)) return null;
    if (seen.has(oldest.signature)) {
      throw new ServiceError('RPC_ERROR', {
        message: `getSignaturesForAddress of your own RPC returns the same transactions of ${wallet} on every page. Use another RPC.`,
      });
    }
    seen.add(oldest.signature);
    before = oldest.signature;
  }
}

/** Returns whether a block is older than a moment. Without a block time it may not be. */
function isBefore(
  { slot, blockTime }: { readonly slot: bigint; readonly blockTime: bigint | null },
  start: HistoryStart,
): boolean {
  if ('slot' in start) return slot < start.slot;
  return typeof blockTime === 'bigint' && blockTime < start.time;
}

/** Returns whether a wallet may have signed a transaction with a memo. True if the RPC does not show the transaction. */
async function mayBeOf(
  chain: Chain,
  { signature, wallet, memo }: Pick<SignedOperation, 'signature' | 'wallet'> & { readonly memo: string },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = await callRpc(chain, 'getTransaction', signal, (rpc, options) =>
    fetchTransaction(rpc, signature, options),
  );
  if (!found) return true;
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(found.transaction[0]));
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
    // The memo is ASCII, so compare byte by byte.
    const holdsMemo = new TextDecoder('latin1').decode(new Uint8Array(messageBytes)).includes(memo);
    return holdsMemo && staticAccounts.slice(0, header.numSignerAccounts).includes(wallet);
  } catch {
    return true;
  }
}
