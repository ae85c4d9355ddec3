/** Compares two transaction messages, and names each instruction, account or field that differs. */
import { hexOf } from '@service/protocol';
import { AccountRole, getCompiledTransactionMessageDecoder } from '@solana/kit';
import type { MessageDifference } from '../error-contexts.ts';

/** The parts of a message that are compared. */
export interface ReadMessage {
  readonly version: string;
  readonly blockhash: string;
  readonly feePayer: string;
  readonly signers: readonly string[];
  readonly instructions: readonly ReadInstruction[];
  readonly lookupTables: readonly string[];
}

/** An instruction of a message, with accounts as `<address> (<role>)`. */
export interface ReadInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** Returns whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Returns the message in these bytes, or null if they are not a message. */
export function readMessage(bytes: Uint8Array): ReadMessage | null {
  let message: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>;
  try {
    message = getCompiledTransactionMessageDecoder().decode(bytes);
  } catch {
    return null;
  }
  if (message.version !== 'legacy' && message.version !== 0) return null;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const keys = message.staticAccounts;
  const role = (index: number): AccountRole => {
    const signs = index < numSignerAccounts;
    const writes = signs
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < keys.length - numReadonlyNonSignerAccounts;
    if (signs) return writes ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    return writes ? AccountRole.WRITABLE : AccountRole.READONLY;
  };
  const account = (index: number) =>
    index < keys.length
      ? `${keys[index]} (${ROLE_NAMES[role(index)]})`
      : `of a lookup table (index ${index})`;
  return {
    version: String(message.version),
    blockhash: message.lifetimeToken,
    feePayer: keys[0] ?? 'nobody',
    signers: keys.slice(0, numSignerAccounts),
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      program: keys[programAddressIndex] ?? `of a lookup table (index ${programAddressIndex})`,
      accounts: accountIndices.map(account),
      data: new Uint8Array(data ?? []),
    })),
    lookupTables:
      'addressTableLookups' in message
        ? (message.addressTableLookups ?? []).map(({ lookupTableAddress }) => lookupTableAddress)
        : [],
  };
}

const ROLE_NAMES: Record<AccountRole, string> = {
  [AccountRole.READONLY]: 'readonly',
  [AccountRole.WRITABLE]: 'writable',
  [AccountRole.READONLY_SIGNER]: 'readonly signer',
  [AccountRole.WRITABLE_SIGNER]: 'writable signer',
};

/**
 * Returns what differs between two messages, for people to read. Empty only if the bytes are equal.
 */
export function compareMessages(expected: Uint8Array, received: Uint8Array): MessageDifference[] {
  if (sameBytes(expected, received)) return [];
  const wanted = readMessage(expected);
  const found = readMessage(received);
  if (!wanted || !found) {
    return [
      { part: 'message', expected: 'a version 0 message', received: 'bytes that cannot be read as one' },
    ];
  }
  const differences: MessageDifference[] = [];
  const compare = (part: string, a: string, b: string) => {
    if (a !== b) differences.push({ part, expected: a, received: b });
  };
  compare('version', wanted.version, found.version);
  compare('fee payer', wanted.feePayer, found.feePayer);
  compare('signers', wanted.signers.join(', '), found.signers.join(', '));
  compare('blockhash', wanted.blockhash, found.blockhash);
  compare('address lookup tables', listed(wanted.lookupTables), listed(found.lookupTables));
  compare('instructions', programs(wanted), programs(found));
  for (const [index, instruction] of wanted.instructions.entries()) {
    const other = found.instructions[index];
    if (other) compareInstructions(`instruction ${index}`, instruction, other, compare);
  }
  // Other bytes can have the same meaning: an overlong length, an unused key, another order. They still differ.
  if (differences.length === 0) compareBytes('message', expected, received, compare);
  return differences;
}

type Compare = (part: string, expected: string, received: string) => void;

function compareInstructions(
  name: string,
  wanted: ReadInstruction,
  found: ReadInstruction,
  compare: Compare,
): void {
  compare(`${name}, program`, wanted.program, found.program);
  const count = Math.max(wanted.accounts.length, found.accounts.length);
  for (let index = 0; index < count; index += 1) {
    compare(`${name}, account ${index}`, wanted.accounts[index] ?? 'none', found.accounts[index] ?? 'none');
  }
  compareBytes(`${name}, data`, wanted.data, found.data, compare);
}

const MOST_HEX_BYTES = 32;

function compareBytes(name: string, wanted: Uint8Array, found: Uint8Array, compare: Compare): void {
  if (sameBytes(wanted, found)) return;
  if (wanted.length !== found.length)
    compare(`${name} length`, `${wanted.length} bytes`, `${found.length} bytes`);
  const length = Math.min(wanted.length, found.length);
  let first = 0;
  while (first < length && wanted[first] === found[first]) first += 1;
  if (first === length) return;
  let last = length - 1;
  while (last > first && wanted[last] === found[last]) last -= 1;
  const end = Math.min(last + 1, first + MOST_HEX_BYTES);
  const where = first === last ? `byte ${first}` : `bytes ${first} to ${last}`;
  compare(`${name} ${where}`, hexOf(wanted.slice(first, end)), hexOf(found.slice(first, end)));
}

function programs({ instructions }: ReadMessage): string {
  return listed(instructions.map(({ program }) => program));
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
