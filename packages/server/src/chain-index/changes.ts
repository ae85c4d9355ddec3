/** Finds accounts that may have changed: those that the program's new transactions could write. */
import {
  type Address,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import pMap from 'p-map';
import type { Reader } from './reading.ts';
import type { IndexedSignatureTable } from './tables.ts';

/** The changes that are already in the index. */
export interface TakenIn {
  /** List signatures that are newer than this one; null lists all. */
  readonly signature: Signature | null;
  /** Every change up to this slot is in the index. */
  readonly settledSlot: bigint;
  /** Signatures after that slot whose changes are in the index. */
  readonly recent: readonly Signature[];
}

/** The changes since then. */
export interface Changes {
  /** The program's new signatures, and those that are listed again. The newest comes first. */
  readonly listed: readonly IndexedSignatureTable[];
  /** Whether the node has lost the signature after which the listing should begin. */
  readonly isStartLost: boolean;
  /** Accounts that may have changed; null if the listing may miss a transaction, so that all accounts must be read. */
  readonly addresses: readonly Address[] | null;
}

/**
 * The most transactions that one step reads. If there are more, all accounts are read. A listing has at most 1000 signatures,
 * of which up to 256 are listed again.
 */
export const MAX_TRANSACTIONS = {
  /** If there are few accounts. */ small: 64,
  /** If there are many. */ large: 700,
} as const;
/** Transactions that are read at once. */
const AT_ONCE = 32;

interface ChangesOptions {
  readonly since: TakenIn;
  readonly upTo: bigint;
  /** The most transactions to read, of `MAX_TRANSACTIONS`. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Finds the changes up to the finalized slot `upTo` that are not in the index. Throws the RPC's errors. */
export async function readChanges(
  reader: Reader,
  { since, upTo, most, signal }: ChangesOptions,
): Promise<Changes> {
  const { listed, isStartLost, isComplete } = await listSignatures(reader, { since, upTo, most, signal });
  const recent = new Set(since.recent);
  const fresh = listed.filter(({ slot, signature }) => slot > since.settledSlot && !recent.has(signature));
  const readEverything = { listed, isStartLost, addresses: null };
  if (!isComplete || fresh.length > most) return readEverything;

  // A transaction that failed changed nothing but its payer's lamports.
  const succeeded = fresh.filter(({ err }) => err === null);
  const written = await pMap(succeeded, ({ signature }) => readWritten(reader, signature, signal), {
    concurrency: AT_ONCE,
  });
  if (written.includes(null)) return readEverything;
  return { listed, isStartLost, addresses: [...new Set(written.flatMap((addresses) => addresses ?? []))] };
}

/**
 * Lists the newest signatures, down to `since.signature` if the node has it. A node without long-term storage deletes old
 * transactions, and answers with an error when `until` is one of them. Then the listing is complete only if the node's
 * history reaches back to the settled slot.
 */
async function listSignatures({ rpc, settings }: Reader, { since, upTo, most, signal }: ChangesOptions) {
  const list = (until: Signature | null) =>
    rpc
      .getSignaturesForAddress(settings.program, {
        commitment: 'finalized',
        limit: since.recent.length + most + 1,
        // Several nodes may share the URL. A node that is behind must not leave out signatures.
        minContextSlot: upTo,
        ...(until === null ? {} : { until }),
      })
      .send({ abortSignal: signal });
  try {
    return { listed: await list(since.signature), isStartLost: false, isComplete: true };
  } catch (error) {
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND)) throw error;
  }
  const listed = await list(null);
  // This comes last: the first available block only rises, so it also covers the listing.
  const first = await rpc.getFirstAvailableBlock().send({ abortSignal: signal });
  return { listed, isStartLost: true, isComplete: first <= since.settledSlot + 1n };
}

/** Returns the accounts that a transaction could write, or null if the node lost it or its version is unknown. */
async function readWritten(
  reader: Reader,
  signature: Signature,
  signal: AbortSignal,
): Promise<readonly Address[] | null> {
  const found = await readTransaction(reader, signature, signal).catch((error: unknown) => {
    // Anyone can send such a transaction. An error here would stop the index while it is among the newest.
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION))
      return null;
    throw error;
  });
  if (!found) return null;
  const { accountKeys, header } = found.transaction.message;
  const signers = header.numRequiredSignatures;
  const writableSigners = accountKeys.slice(0, signers - header.numReadonlySignedAccounts);
  const writableOthers = accountKeys.slice(signers, accountKeys.length - header.numReadonlyUnsignedAccounts);
  return [...writableSigners, ...writableOthers, ...(found.meta?.loadedAddresses?.writable ?? [])];
}

function readTransaction({ rpc }: Reader, signature: Signature, abortSignal: AbortSignal) {
  return rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send({ abortSignal });
}
