import { createHash } from 'node:crypto';
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Signature,
  type Transaction,
} from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import { LOOKUP_TABLES, RESERVED_ACCOUNTS, UPGRADEABLE_LOADER } from './addresses.ts';

/** The largest transaction that a cluster accepts, in bytes: one IPv6 packet. */
const MAX_TRANSACTION_BYTES = 1232;

const LOOKUP_TABLE_HEADER_BYTES = 56;

/** A compiled legacy or version 0 message. */
export type CompiledMessage = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;

/** A transaction from the wire, decoded once. */
export interface DecodedTransaction {
  /** Its bytes, without bytes after the transaction. */
  wire: Uint8Array;
  transaction: Transaction;
  message: CompiledMessage;
  /** The signature of the fee payer, which identifies the transaction; null if it is missing. */
  signature: Signature | null;
  /** SHA-256 of the message in hex. The same message never lands twice, even with other signatures. */
  messageHash: string;
}

/** The bytes are not a transaction that this node accepts. The message says why. */
export class MalformedTransaction extends Error {
  override name = 'MalformedTransaction';
}

/** Decodes a transaction. Throws {@link MalformedTransaction} if this node cannot accept it. */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  if (wire.length > MAX_TRANSACTION_BYTES) {
    throw new MalformedTransaction(`too large: ${wire.length} bytes (max: ${MAX_TRANSACTION_BYTES})`);
  }
  let decoded: Transaction;
  let message: CompiledMessage;
  try {
    decoded = getTransactionDecoder().decode(wire);
    message = decodeMessage(new Uint8Array(decoded.messageBytes));
  } catch (error) {
    throw error instanceof MalformedTransaction ? error : new MalformedTransaction(messageOf(error));
  }
  if (message.header.numSignerAccounts === 0) throw new MalformedTransaction('it has no signer');
  // The decoder includes bytes after the message; a node ignores them. They would give the same message two hashes, so
  // that it could land twice.
  const bytes = new Uint8Array(getCompiledTransactionMessageEncoder().encode(message));
  if (!bytes.every((byte, index) => decoded.messageBytes[index] === byte)) {
    throw new MalformedTransaction('the message is not in its canonical form');
  }
  const transaction = { ...decoded, messageBytes: bytes as unknown as typeof decoded.messageBytes };
  const first = Object.values(transaction.signatures)[0];
  return {
    wire: new Uint8Array(getTransactionEncoder().encode(transaction)),
    transaction,
    message,
    signature: first ? (getBase58Decoder().decode(first) as Signature) : null,
    messageHash: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Returns whether a transaction has a signature of every signer. */
export function isFullySigned({ transaction }: DecodedTransaction): boolean {
  return Object.values(transaction.signatures).every((signature) => signature !== null);
}

/** Returns every signature of a fully signed transaction, in the order of its signers. */
export function signaturesOf({ transaction }: DecodedTransaction): Signature[] {
  return Object.values(transaction.signatures).map(
    (signature) => getBase58Decoder().decode(signature ?? new Uint8Array(64)) as Signature,
  );
}

/** Decodes a message. Throws for a version that this node does not support. */
export function decodeMessage(bytes: Uint8Array): CompiledMessage {
  const message = getCompiledTransactionMessageDecoder().decode(bytes);
  if (message.version === 1) throw new MalformedTransaction('this node does not support version 1 messages');
  return message;
}

/** Returns the lookup tables that a message names. */
export function lookupTables(message: CompiledMessage): Address[] {
  return lookupsOf(message).map(({ lookupTableAddress }) => lookupTableAddress);
}

export interface LoadedAddresses {
  writable: Address[];
  readonly: Address[];
}

/** Returns the addresses that a message loads from lookup tables. A missing table has none. */
export function loadedAddresses(
  message: CompiledMessage,
  read: (address: Address) => AccountState | null,
): LoadedAddresses {
  const loaded: LoadedAddresses = { writable: [], readonly: [] };
  for (const lookup of lookupsOf(message)) {
    const table = read(lookup.lookupTableAddress);
    if (table?.owner !== LOOKUP_TABLES) continue;
    const addressAt = (index: number) => {
      const start = LOOKUP_TABLE_HEADER_BYTES + 32 * index;
      const bytes = table.data.subarray(start, start + 32);
      return bytes.length === 32 ? [getAddressDecoder().decode(bytes)] : [];
    };
    loaded.writable.push(...lookup.writableIndexes.flatMap(addressAt));
    loaded.readonly.push(...lookup.readonlyIndexes.flatMap(addressAt));
  }
  return loaded;
}

function lookupsOf(message: CompiledMessage) {
  return message.version === 0 ? (message.addressTableLookups ?? []) : [];
}

/** Returns every account of a transaction, in the order of the indexes in its instructions. */
export function accountKeys(message: CompiledMessage, loaded: LoadedAddresses): Address[] {
  return [...message.staticAccounts, ...loaded.writable, ...loaded.readonly];
}

/**
 * Returns the accounts that a transaction can write. Reserved accounts are not among them, and neither is a program that
 * it calls, except if it names the upgradeable loader.
 */
export function writableAccounts(message: CompiledMessage, loaded: LoadedAddresses): Address[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const { staticAccounts } = message;
  const lastWritable = staticAccounts.length - numReadonlyNonSignerAccounts;
  const isWritable = (index: number) =>
    index < numSignerAccounts ? index < numSignerAccounts - numReadonlySignerAccounts : index < lastWritable;
  const called = accountKeys(message, loaded).includes(UPGRADEABLE_LOADER)
    ? []
    : message.instructions.map(({ programAddressIndex }) => staticAccounts[programAddressIndex]);
  return [...staticAccounts.filter((_, index) => isWritable(index)), ...loaded.writable].filter(
    (address) => !RESERVED_ACCOUNTS.has(address) && !called.includes(address),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
