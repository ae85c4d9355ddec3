/** Reads a slice of the program's accounts, or those that changed, at finalized. */
import type { Address, DataSlice } from '@solana/kit';
import pMap from 'p-map';
import type { IndexedAccountTable } from '../database/schema.ts';
import { batchesOf } from '../lib/batches.ts';
import { RpcAnswerError } from '../rpc/answers.ts';
import type { Service } from '../service.ts';
import { accountEntry } from './accounts/account-entry.ts';
import type { IndexedRow } from './find.ts';
import { filtersOf, type Slice } from './slices.ts';

/** Accounts that were read. */
export interface Reading {
  /** The newest slot that a part of it was read at. */
  readonly slot: bigint;
  readonly entries: readonly IndexedAccountTable[];
  /** Addresses without an account of the program. */
  readonly gone: readonly Address[];
}

/** Options of a reading. */
export interface ReadingOptions {
  /** The oldest slot to read at. A node that is behind it returns an error. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** The parts of the service that a reading needs. */
export type Reader = Pick<Service, 'rpc' | 'settings'>;

const ACCOUNTS_PER_REQUEST = 100;
const REQUESTS_AT_ONCE = 8;

/** Rows of accounts, and the slot that they were read at. */
type Read = Pick<Reading, 'slot' | 'entries'>;

/** Reads a slice at one finalized slot. Throws the RPC's errors. */
export async function readSlice(
  reader: Reader,
  slice: Slice,
  { minSlot: minContextSlot, signal }: ReadingOptions,
): Promise<Read> {
  const { context, value } = await programAccounts(reader, slice, { minContextSlot }, signal);
  const entries = value.map(({ pubkey, account }) => entryOf(reader, pubkey, account, context.slot));
  return { slot: context.slot, entries: entries.filter((entry) => entry !== null) };
}

/** Counts the accounts of a slice. Throws the RPC's errors. */
export async function readSliceSize(reader: Reader, slice: Slice, signal: AbortSignal): Promise<number> {
  const { value } = await programAccounts(reader, slice, { dataSlice: { offset: 0, length: 0 } }, signal);
  return value.length;
}

function programAccounts(
  { rpc, settings }: Reader,
  slice: Slice,
  options: { readonly minContextSlot?: bigint; readonly dataSlice?: DataSlice },
  abortSignal: AbortSignal,
) {
  const form = { commitment: 'finalized', encoding: 'base64', withContext: true } as const;
  return rpc
    .getProgramAccounts(settings.program, { ...form, filters: filtersOf(slice), ...options })
    .send({ abortSignal });
}

/** Returns what changed in slices that were read. `indexed` is what the index has of them. */
export function changesOf({ slot, entries }: Read, indexed: readonly IndexedRow[]): Reading {
  const found = new Map(entries.map((entry) => [entry.address, entry]));
  const gone: Address[] = [];
  for (const { address, lamports, data } of indexed) {
    const entry = found.get(address);
    if (!entry) gone.push(address);
    else if (entry.lamports === lamports && Buffer.compare(entry.data, data) === 0) found.delete(address);
  }
  return { slot, entries: [...found.values()], gone };
}

/** Reads some addresses, each at a finalized slot. Throws the RPC's errors. */
export async function readSome(
  reader: Reader,
  addresses: readonly Address[],
  { minSlot, signal }: ReadingOptions,
): Promise<Reading> {
  const entries: IndexedAccountTable[] = [];
  const gone: Address[] = [];
  let slot = minSlot;
  const readBatch = async (some: readonly Address[]) => {
    const { context, value } = await reader.rpc
      .getMultipleAccounts(some, { commitment: 'finalized', encoding: 'base64', minContextSlot: minSlot })
      .send({ abortSignal: signal });
    if (context.slot > slot) slot = context.slot;
    for (const [index, address] of some.entries()) {
      const account = value[index];
      const entry = account && entryOf(reader, address, account, context.slot);
      if (entry) entries.push(entry);
      else gone.push(address);
    }
  };
  await pMap(batchesOf(addresses, ACCOUNTS_PER_REQUEST), readBatch, { concurrency: REQUESTS_AT_ONCE });
  return { slot, entries, gone };
}

interface RpcAccount {
  readonly data: readonly [string, 'base64'];
  readonly lamports: bigint;
  readonly owner: Address;
}

function entryOf({ settings }: Reader, address: Address, account: RpcAccount, slot: bigint) {
  const { lamports, owner } = account;
  return accountEntry(settings.program, { address, lamports, owner, data: bytesOf(account) }, slot);
}

function bytesOf({ data: [text] }: RpcAccount): Buffer {
  const bytes = Buffer.from(text, 'base64');
  // Node leaves out characters that are not base64. An account that lost bytes would look like one that is gone.
  if (bytes.toString('base64') !== text) {
    throw new RpcAnswerError('a request for accounts', 'has data that is not base64');
  }
  return bytes;
}
