/** Durable nonces: a value in an account in place of a recent blockhash. */
import { createHash } from 'node:crypto';
import { type Address, getAddressDecoder, getBase58Decoder } from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { type CompiledMessage, writableAccounts } from './transaction.ts';

/** Version, state, authority, value, fee. */
const NONCE_BYTES = 80;
const CURRENT_VERSION = 1;
const INITIALIZED = 1;
const [AUTHORITY_AT, VALUE_AT, VALUE_END] = [8, 40, 72];
/** AdvanceNonceAccount of the system program. */
const ADVANCE = '4,0,0,0';

/** Returns the value after a blockhash, which an account gets when its nonce is advanced. */
export function nonceAfter(blockhash: Uint8Array): Uint8Array {
  return createHash('sha256').update('DURABLE_NONCE').update(blockhash).digest();
}

/** Returns the bytes of a nonce. Returns null unless the account has one that transactions can use. */
export function nonceIn(account: AccountState | null | undefined): Uint8Array | null {
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_BYTES) return null;
  const { buffer, byteOffset } = account.data;
  const view = new DataView(buffer, byteOffset);
  const isUsable = view.getUint32(0, true) === CURRENT_VERSION && view.getUint32(4, true) === INITIALIZED;
  return isUsable ? account.data.subarray(VALUE_AT, VALUE_END) : null;
}

/** Returns the account with another nonce. */
export function withNonce(account: AccountState, value: Uint8Array): AccountState {
  const data = Uint8Array.from(account.data);
  data.set(value, VALUE_AT);
  return { ...account, data };
}

/** Returns the account whose nonce a message has in place of a blockhash, or null if it has none. */
export function nonceAccountOf(
  message: CompiledMessage,
  read: (address: Address) => AccountState | null,
): Address | null {
  const { staticAccounts, instructions, header, lifetimeToken } = message;
  const [first] = instructions;
  if (!first || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return null;
  if (`${first.data?.slice(0, 4)}` !== ADVANCE) return null;
  const [index = -1] = first.accountIndices ?? [];
  const address = staticAccounts[index];
  if (!address || !writableAccounts(message, { writable: [], readonly: [] }).includes(address)) return null;
  const account = read(address);
  const value = nonceIn(account);
  if (!account || !value || getBase58Decoder().decode(value) !== lifetimeToken) return null;
  const authority = getAddressDecoder().decode(account.data, AUTHORITY_AT);
  const signers = (first.accountIndices ?? []).filter((each) => each < header.numSignerAccounts);
  return signers.some((each) => staticAccounts[each] === authority) ? address : null;
}
