/** Finds accounts that may have changed: those that the program's new transactions could write. */
import {
  type Address,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import pMap from 'p-map';
import type { ChainTip } from '../chain-head/index.ts';
import type { IndexedSignatureTable } from '../database/schema.ts';
import type { Place } from './position.ts';
import type { Reader } from './reading.ts';

type Listed = IndexedSignatureTable & { readonly err: unknown; readonly blockTime: bigint | null };

/** The changes since then. */
export interface Changes {
  /** The program's new signatures, and those that are listed again. The newest comes first. */
  readonly listed: readonly Listed[];
  /** Whether the node has lost the signature after which the listing should begin. */
  readonly isStartLost: boolean;
  /** Accounts that may have changed; null if the listing may miss a transaction, so that all accounts must be read. */
  readonly addresses: readonly Address[] | null;
  /** The changes are complete up to here: the tip, or an earlier slot if there are too many for one step. */
  readonly upTo: ChainTip;
}

/** How much one step reads. */
interface Volume {
  /** Transactions. Those that failed do not count, because they changed only their payer's lamports. */
  readonly transactions: number;
  /** Pages of signatures. */
  readonly pages: number;
  /** Chain seconds that a transaction may be missing before all accounts are read instead. */
  readonly missingSeconds: bigint;
}

/**
 * The most that one step reads. If there is more, and there are few accounts, all accounts are read. If there are many
 * accounts, the step reads the oldest changes, and the next step continues.
 */
export const VOLUMES = {
  /** Before a reading of all accounts. Only the newest signature is listed. */
  none: { transactions: 0, pages: 1, missingSeconds: 0n },
  /** If there are few accounts. */ small: { transactions: 64, pages: 1, missingSeconds: 0n },
  /** If there are many. */ large: { transactions: 700, pages: 20, missingSeconds: 30n },
} as const satisfies Record<string, Volume>;
/** Signatures in a page: the most that an RPC returns. */
const PAGE = 1_000;
const AT_ONCE = 32;

interface ChangesOptions {
  /** The position of the index. */
  readonly since: Pick<Place, 'signature' | 'settled_slot' | 'time'>;
  /** Signatures after its settled slot whose changes are in the index. */
  readonly recent: readonly Signature[];
  readonly tip: ChainTip;
  readonly volume: Volume;
  readonly signal: AbortSignal;
}

/** Finds the changes up to the finalized tip that are not in the index. Throws the RPC's errors. */
export async function readChanges(reader: Reader, options: ChangesOptions): Promise<Changes> {
  const { since, tip, volume, signal } = options;
  const { listed, isStartLost, isComplete } = await listSignatures(reader, options);
  const recent = new Set(options.recent);
  const fresh = listed.filter(
    ({ slot, signature, err }) => err === null && slot > since.settled_slot && !recent.has(signature),
  );
  const readEverything = { listed, isStartLost, addresses: null, upTo: tip };
  if (!isComplete) return readEverything;
  const isTooMuch = fresh.length > volume.transactions;
  if (isTooMuch && volume.pages === 1) return readEverything;

  const newest = isTooMuch ? fresh.at(-volume.transactions)! : null;
  const upTo = newest ? { slot: newest.slot, time: newest.blockTime ?? since.time } : tip;
  const taken = newest ? fresh.filter(({ slot }) => slot <= newest.slot) : fresh;
  // A slot is taken as a whole.
  if (taken.length > 2 * volume.transactions) return readEverything;
  const written = await pMap(taken, ({ signature }) => readWritten(reader, signature, signal), {
    concurrency: AT_ONCE,
  });
  if (written.includes(null)) {
    if (isTooLate(options)) return readEverything;
    throw new Error('The RPC does not have a transaction that it listed. The next step asks again.');
  }
  const addresses = [...new Set(written.flatMap((each) => each ?? []))];
  return {
    listed: newest ? listed.filter(({ slot }) => slot <= upTo.slot) : listed,
    isStartLost,
    addresses,
    upTo,
  };
}

/** Returns whether the index is so late that all accounts are read, instead of waiting for a node that has what is missing. */
function isTooLate({ since, tip, volume }: ChangesOptions): boolean {
  return tip.time - since.time >= volume.missingSeconds;
}

/**
 * Lists the newest signatures, down to `since.signature` if the node has it. A node without long-term storage deletes old
 * transactions, and answers with an error when `until` is one of them. Then the listing is complete only if the node's
 * history reaches back to the settled slot.
 */
async function listSignatures(reader: Reader, options: ChangesOptions) {
  const { since, signal } = options;
  try {
    return { ...(await listPages(reader, since.signature, options)), isStartLost: false };
  } catch (error) {
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND)) throw error;
  }
  const { listed, isComplete } = await listPages(reader, null, options);
  // This comes last: the first available block only rises, so it also covers the listing.
  const first = await reader.rpc.getFirstAvailableBlock().send({ abortSignal: signal });
  return { listed, isStartLost: true, isComplete: isComplete && first <= since.settled_slot + 1n };
}

/** Lists signatures from the newest one down to `until` or to the settled slot. It is not complete if there are too many. */
async function listPages(
  { rpc, settings }: Reader,
  until: Signature | null,
  options: ChangesOptions,
): Promise<{ listed: Listed[]; isComplete: boolean }> {
  const { since, recent, tip, volume, signal } = options;
  const limit = volume.pages > 1 ? PAGE : recent.length + volume.transactions + 1;
  const listed: Listed[] = [];
  for (let page = 0; page < volume.pages; page += 1) {
    const before = listed.at(-1)?.signature;
    const found = await rpc
      .getSignaturesForAddress(settings.program, {
        commitment: 'finalized',
        limit,
        // Several nodes may share the URL. A node that is behind must not leave out signatures.
        minContextSlot: listed[0] && listed[0].slot > tip.slot ? listed[0].slot : tip.slot,
        ...(until === null ? {} : { until }),
        ...(before === undefined ? {} : { before }),
      })
      .send({ abortSignal: signal });
    listed.push(...found);
    // A node that does not have the last signature of the page before responds with nothing.
    if (page > 0 && found.length === 0) {
      if (isTooLate(options)) return { listed, isComplete: false };
      throw new Error('The RPC listed signatures, but not those before them. The next step asks again.');
    }
    if (found.length < limit || found.at(-1)!.slot <= since.settled_slot) return { listed, isComplete: true };
  }
  return { listed, isComplete: false };
}

/** Returns the accounts that a transaction could write, or null if the node lost it or its version is unknown. */
async function readWritten(
  reader: Reader,
  signature: Signature,
  signal: AbortSignal,
): Promise<readonly Address[] | null> {
  const found = await readTransaction(reader, signature, signal);
  if (!found) return null;
  const { accountKeys, header } = found.transaction.message;
  const signers = header.numRequiredSignatures;
  const writableSigners = accountKeys.slice(0, signers - header.numReadonlySignedAccounts);
  const writableOthers = accountKeys.slice(signers, accountKeys.length - header.numReadonlyUnsignedAccounts);
  return [...writableSigners, ...writableOthers, ...(found.meta?.loadedAddresses?.writable ?? [])];
}

/**
 * Versions to ask for, one after the other. Anyone can name the program in a transaction of a later version. Its keys and
 * header have the same form, but some RPCs may reject a version that they do not know.
 */
const VERSIONS = [0, 255 as 0] as const;

const UNSUPPORTED = [
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
] as const;

/** Reads a transaction. Returns null if the node does not have it, or does not show its version. */
async function readTransaction({ rpc }: Reader, signature: Signature, abortSignal: AbortSignal) {
  for (const maxSupportedTransactionVersion of VERSIONS) {
    try {
      return await rpc
        .getTransaction(signature, {
          commitment: 'finalized',
          encoding: 'json',
          maxSupportedTransactionVersion,
        })
        .send({ abortSignal });
    } catch (error) {
      // An error here would stop the index while the transaction is among the newest.
      if (UNSUPPORTED.every((code) => !isSolanaError(error, code))) throw error;
    }
  }
  return null;
}
