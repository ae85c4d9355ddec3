/** Finds an operation in the history of a wallet, by the memo of its transaction. */
import {
  type Address,
  getBase64Encoder,
  getTransactionDecoder,
  type Signature,
  type TransactionError,
} from '@solana/kit';
import { memoText } from '../memo.ts';
import { type CallHistory, fetchTransaction } from './finalized-reads.ts';
import type { HistoryStart } from './history-reads.ts';

const PAGE = 1_000;

/** The part of a wallet's history to search. */
export interface HistoryWindow {
  readonly backTo: HistoryStart;
  /** The slot that the node must have reached; 0 if finding nothing would prove nothing. */
  readonly asOf: bigint;
  /** Wallets with signatures that belong to something else. Kept over several searches, so that each is read once. */
  readonly others?: Set<string>;
}

/** A transaction that a wallet may have signed with the memo of an operation. */
export interface Namesake {
  readonly wallet: Address;
  readonly signature: Signature;
  /** Undefined if the node does not show it. */
  readonly transaction?: FinalizedTransaction | undefined;
}

interface FinalizedTransaction {
  readonly slot: bigint;
  readonly err: TransactionError | null;
  readonly message: Uint8Array;
  /** By signer. */
  readonly signatures: Readonly<Record<Address, unknown>>;
}

/**
 * Returns the newest finalized transaction that one of the wallets may have signed with the memo of an operation, or null.
 * Another wallet's transaction can name this wallet and carry any memo, so the signers are read too. What cannot be read
 * counts.
 *
 * Throws the errors of `call`.
 */
export async function findByMemo(
  call: CallHistory,
  { operationId, wallets }: { readonly operationId: string; readonly wallets: readonly Address[] },
  window: HistoryWindow,
): Promise<Namesake | null> {
  const memo = memoText(operationId);
  for (const wallet of wallets) {
    const found = await findOf(call, wallet, memo, window);
    if (found) return found;
  }
  return null;
}

async function findOf(
  call: CallHistory,
  wallet: Address,
  memo: string,
  { backTo, asOf, others = new Set() }: HistoryWindow,
): Promise<Namesake | null> {
  const seen = new Set<Signature>();
  let before: Signature | undefined;
  for (;;) {
    const window = {
      commitment: 'finalized',
      limit: PAGE,
      ...(asOf > 0n ? { minContextSlot: asOf } : {}),
      ...(before ? { before } : {}),
    } as const;
    const page = await call('getSignaturesForAddress', async (rpc, options) => {
      const entries = Array.from(await rpc.getSignaturesForAddress(wallet, window).send(options));
      if (entries.length >= PAGE && seen.has(entries.at(-1)!.signature))
        throw new Error('The RPC returns the same page again.');
      return entries;
    });
    for (const { signature, memo: carried, ...place } of page) {
      // Some RPCs return no memos. To prove an absence, the transaction itself is then read.
      const isUnknown = !carried && asOf > 0n && !isBefore(place, backTo);
      if (!(isUnknown || carried?.includes(memo)) || others.has(wallet + signature)) continue;
      const transaction = await readTransaction(call, signature);
      // A memo that the RPC does return counts, whatever transaction it shows.
      const mayBeOf =
        !transaction ||
        ((!isUnknown || holds(transaction, memo)) && Object.hasOwn(transaction.signatures, wallet));
      if (mayBeOf) return { wallet, signature, transaction };
      others.add(wallet + signature);
    }
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || isBefore(oldest, backTo)) return null;
    before = oldest.signature;
    seen.add(before);
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

/** Returns a finalized transaction, or undefined if the node does not show one that can be read. */
async function readTransaction(
  call: CallHistory,
  signature: Signature,
): Promise<FinalizedTransaction | undefined> {
  const found = await call('getTransaction', (rpc, options) => fetchTransaction(rpc, signature, options));
  if (!found?.meta) return undefined;
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(
      getBase64Encoder().encode(found.transaction[0]),
    );
    return {
      slot: found.slot,
      err: found.meta.err,
      message: new Uint8Array(messageBytes),
      signatures,
    };
  } catch {
    return undefined;
  }
}

/** Returns whether the bytes of a message contain a memo, which is ASCII. */
function holds({ message }: FinalizedTransaction, memo: string): boolean {
  return new TextDecoder('latin1').decode(message).includes(memo);
}
