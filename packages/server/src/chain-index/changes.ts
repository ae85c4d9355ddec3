/** Which accounts may have changed: those that the program's transactions since the last look could write. */
import type { Address, Signature } from '@solana/kit';
import type { Reader } from './reading.ts';
import type { IndexedSignatureTable } from './tables.ts';

/** What was taken in before. */
export interface TakenIn {
  /** Signatures are listed down to this one, null: all. */
  readonly signature: Signature | null;
  /** Every change up to this slot is taken in. */
  readonly settledSlot: bigint;
  /** Signatures after that slot that are taken in. */
  readonly recent: readonly Signature[];
}

/** What happened since. */
export interface Changes {
  /** The program's signatures, the newest first: what is new, and what is listed again. */
  readonly listed: readonly IndexedSignatureTable[];
  /** Accounts that may have changed; null when there was too much to follow, so that all must be read. */
  readonly addresses: readonly Address[] | null;
}

/** Transactions that one look follows. Anyone can name the program in a transaction: past this, all accounts are read. */
export const MAX_TRANSACTIONS_PER_LOOK = 64;

/** Finds what changed up to the finalized slot `upTo` and is not taken in. Throws what the RPC throws. */
export async function readChanges(
  reader: Reader,
  { since, upTo, signal }: { since: TakenIn; upTo: bigint; signal: AbortSignal },
): Promise<Changes> {
  const listed = await reader.rpc
    .getSignaturesForAddress(reader.settings.program, {
      commitment: 'finalized',
      limit: since.recent.length + MAX_TRANSACTIONS_PER_LOOK + 1,
      // Of several nodes behind one URL, one that has not come as far would leave out what others show already.
      minContextSlot: upTo,
      ...(since.signature === null ? {} : { until: since.signature }),
    })
    .send({ abortSignal: signal });
  const recent = new Set(since.recent);
  const fresh = listed.filter(({ slot, signature }) => slot > since.settledSlot && !recent.has(signature));
  if (fresh.length > MAX_TRANSACTIONS_PER_LOOK) return { listed, addresses: null };

  // A transaction that failed changed nothing but its payer's lamports.
  const succeeded = fresh.filter(({ err }) => err === null);
  const written = await Promise.all(
    succeeded.map((transaction) => readWritten(reader, transaction.signature, signal)),
  );
  if (written.includes(null)) return { listed, addresses: null };
  return { listed, addresses: [...new Set(written.flatMap((addresses) => addresses ?? []))] };
}

/** The accounts that a transaction could write, or null when the node has it no more. */
async function readWritten(
  { rpc }: Reader,
  signature: Signature,
  abortSignal: AbortSignal,
): Promise<readonly Address[] | null> {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send({ abortSignal });
  if (!found) return null;
  const { accountKeys, header } = found.transaction.message;
  const signers = header.numRequiredSignatures;
  const writableSigners = accountKeys.slice(0, signers - header.numReadonlySignedAccounts);
  const writableOthers = accountKeys.slice(signers, accountKeys.length - header.numReadonlyUnsignedAccounts);
  return [...writableSigners, ...writableOthers, ...(found.meta?.loadedAddresses?.writable ?? [])];
}
