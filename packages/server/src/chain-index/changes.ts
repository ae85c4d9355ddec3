/** Which accounts may have changed: those that the program's transactions since the last look could write. */
import type { Address, Signature } from '@solana/kit';
import type { Reader } from './reading.ts';

/** What happened since the last look. */
export interface Changes {
  /** The newest of the program's signatures, or the one of the last look when there is none since. */
  readonly signature: Signature | null;
  /** The slot of the newest, 0 when there is none since. */
  readonly slot: bigint;
  /** Accounts that may have changed; null when there was too much to follow, so that all must be read. */
  readonly addresses: readonly Address[] | null;
}

/** Transactions that one look follows. Anyone can name the program in a transaction: past this, all accounts are read. */
export const MAX_TRANSACTIONS_PER_LOOK = 64;

/** Finds what changed after `since` (null: ever), at finalized. Throws what the RPC throws. */
export async function readChanges(
  reader: Reader,
  { since, signal }: { since: Signature | null; signal: AbortSignal },
): Promise<Changes> {
  const listed = await reader.rpc
    .getSignaturesForAddress(reader.settings.program, {
      commitment: 'finalized',
      limit: MAX_TRANSACTIONS_PER_LOOK + 1,
      ...(since === null ? {} : { until: since }),
    })
    .send({ abortSignal: signal });
  const newest = listed[0];
  if (!newest) return { signature: since, slot: 0n, addresses: [] };
  const position = { signature: newest.signature, slot: newest.slot };
  if (listed.length > MAX_TRANSACTIONS_PER_LOOK) return { ...position, addresses: null };

  // A transaction that failed changed nothing but its payer's lamports.
  const succeeded = listed.filter(({ err }) => err === null);
  const written = await Promise.all(
    succeeded.map((transaction) => readWritten(reader, transaction.signature, signal)),
  );
  if (written.includes(null)) return { ...position, addresses: null };
  return { ...position, addresses: [...new Set(written.flatMap((addresses) => addresses ?? []))] };
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
