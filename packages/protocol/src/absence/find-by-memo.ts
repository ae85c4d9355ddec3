/** Finds an operation in the history of a wallet, by the memo of its transaction. */
import {
  type Address,
  getBase64Encoder,
  getTransactionDecoder,
  type Signature,
  type TransactionError,
} from '@solana/kit';
import { memoText } from '../memo.ts';
import { type CallHistory, fetchTransaction, type HistoryStart } from './history-reads.ts';

const PAGE = 1_000;

/** The part of a wallet's history to search. */
export interface HistoryWindow {
  readonly backTo: HistoryStart;
  /** The slot that the node must have reached; 0 if finding nothing would prove nothing. */
  readonly asOf: bigint;
  /** Wallets with signatures that belong to something else. Kept over several searches, so that each is read once. */
  readonly others?: Set<string>;
  /** What is read at most. @default everything */
  readonly most?: HistoryLimits;
}

/** The most that one search reads. */
export interface HistoryLimits {
  /** Pages of 1,000 signatures. */
  readonly pages: number;
  /** Transactions that are listed with the memo. */
  readonly withMemo: number;
  /** Transactions that are listed without any memo. */
  readonly withoutMemo: number;
}

/** A transaction that a wallet may have signed with the memo of an operation. */
export interface Namesake {
  readonly signature: Signature;
  /** Undefined if it was not read: the node does not show it, or a limit was reached. */
  readonly transaction?: FinalizedTransaction | undefined;
}

interface FinalizedTransaction {
  readonly slot: bigint;
  readonly err: TransactionError | null;
  readonly message: Uint8Array;
  readonly isSignedBy: (wallet: Address) => boolean;
}

/**
 * Returns the newest finalized transaction that a wallet may have signed with the memo of an operation, or null. Another
 * wallet's transaction can name this wallet and carry any memo, so the signers are read too. What cannot be read counts.
 *
 * Throws the errors of `call`.
 */
export async function findByMemo(
  call: CallHistory,
  { operationId, wallet }: { readonly operationId: string; readonly wallet: Address },
  { backTo, asOf, others = new Set(), most }: HistoryWindow,
): Promise<Namesake | null> {
  const memo = memoText(operationId);
  const seen = new Set<Signature>();
  const left = { withMemo: Infinity, withoutMemo: Infinity, pages: Infinity, ...most };
  let before: Signature | undefined;
  for (;;) {
    const page = await readPage(call, wallet, { asOf, before, seen });
    left.pages -= 1;
    const candidates = page.flatMap(({ signature, memo: carried, ...place }) => {
      // Some RPCs return no memos. To prove an absence, the transaction itself is then read.
      const isUnknown = !carried && asOf > 0n && !isBefore(place, backTo);
      if (!(isUnknown || carried?.includes(memo)) || others.has(wallet + signature)) return [];
      left[isUnknown ? 'withoutMemo' : 'withMemo'] -= 1;
      return [{ signature, isUnknown }];
    });
    for (const { signature, isUnknown } of candidates) {
      if (left.withMemo < 0 || left.withoutMemo < 0) return { signature };
      const transaction = await readTransaction(call, signature);
      // A memo that the RPC does return counts, whatever transaction it shows.
      const isOther =
        transaction && !((!isUnknown || holds(transaction, memo)) && transaction.isSignedBy(wallet));
      if (!isOther) return { signature, transaction };
      others.add(wallet + signature);
    }
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || isBefore(oldest, backTo)) return null;
    if (left.pages <= 0) return { signature: oldest.signature };
    before = oldest.signature;
    seen.add(before);
  }
}

/** Reads the page of a wallet's history that ends before a signature. Throws the errors of `call`. */
function readPage(
  call: CallHistory,
  wallet: Address,
  { asOf, before, seen }: { asOf: bigint; before: Signature | undefined; seen: ReadonlySet<Signature> },
) {
  const window = {
    commitment: 'finalized',
    limit: PAGE,
    ...(asOf > 0n ? { minContextSlot: asOf } : {}),
    ...(before ? { before } : {}),
  } as const;
  return call('getSignaturesForAddress', async (rpc, options) => {
    const page = Array.from(await rpc.getSignaturesForAddress(wallet, window).send(options));
    if (page.length === PAGE && seen.has(page.at(-1)!.signature))
      throw new Error(`The RPC returns the same transactions of ${wallet} on every page. Use another RPC.`);
    return page;
  });
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
      isSignedBy: (wallet) => Object.hasOwn(signatures, wallet),
    };
  } catch {
    return undefined;
  }
}

/** Returns whether the bytes of a message contain a memo, which is ASCII. */
function holds({ message }: FinalizedTransaction, memo: string): boolean {
  return new TextDecoder('latin1').decode(message).includes(memo);
}
