/** Readings of the chain at finalized: all accounts of the program, or those that changed. */
import { type Address, type MaybeEncodedAccount, parseBase64RpcAccount } from '@solana/kit';
import type { Service } from '../service.ts';
import { accountEntry } from './account-entry.ts';
import type { IndexedAccountTable } from './tables.ts';

/** What was found. */
export interface Reading {
  /** The newest slot that a part of it is as of. */
  readonly slot: bigint;
  readonly entries: readonly IndexedAccountTable[];
  /** Addresses that hold no account of the program (any more); after a full reading, all that it did not find. */
  readonly gone: readonly Address[] | 'all others';
}

/** How a reading is made. */
export interface ReadingOptions {
  /** The reading is as of this slot or later; a node that is behind it refuses. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** What a reading needs of the service. */
export type Reader = Pick<Service, 'rpc' | 'settings'>;

/** Accounts that one request may ask for. */
const ACCOUNTS_PER_REQUEST = 100;

/** Reads all accounts of the program as of one finalized slot. Throws what the RPC throws. */
export async function readAll(reader: Reader, { minSlot, signal }: ReadingOptions): Promise<Reading> {
  const { context, value } = await reader.rpc
    .getProgramAccounts(reader.settings.program, {
      commitment: 'finalized',
      encoding: 'base64',
      withContext: true,
      minContextSlot: minSlot,
    })
    .send({ abortSignal: signal });
  const entries = value.map(({ pubkey, account }) =>
    accountEntry(reader.settings.program, parse(pubkey, account), context.slot),
  );
  return { slot: context.slot, entries: entries.filter((entry) => entry !== null), gone: 'all others' };
}

/** Reads some addresses, each as of a finalized slot. Throws what the RPC throws. */
export async function readSome(
  reader: Reader,
  addresses: readonly Address[],
  { minSlot, signal }: ReadingOptions,
): Promise<Reading> {
  const entries: IndexedAccountTable[] = [];
  const gone: Address[] = [];
  let slot = minSlot;
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    const some = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
    const { context, value } = await reader.rpc
      .getMultipleAccounts(some, { commitment: 'finalized', encoding: 'base64', minContextSlot: minSlot })
      .send({ abortSignal: signal });
    if (context.slot > slot) slot = context.slot;
    for (const [index, address] of some.entries()) {
      const entry = accountEntry(reader.settings.program, parse(address, value[index] ?? null), context.slot);
      if (entry) entries.push(entry);
      else gone.push(address);
    }
  }
  return { slot, entries, gone };
}

type RpcAccount = Parameters<typeof parseBase64RpcAccount>[1] | null;

function parse(address: Address, account: RpcAccount): MaybeEncodedAccount {
  return parseBase64RpcAccount(address, account);
}
