import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.ts';

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
/** Token-2022 pads both kinds to 165 bytes and writes the kind into the next byte. */
const KIND = { mint: 1, account: 2 };

export interface TokenAccount {
  mint: Address;
  owner: Address;
  amount: bigint;
}

/** An amount in the format of a node. */
export interface UiTokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

/** The balance of one token account of a transaction, as in its `meta`. */
export interface TokenBalance {
  accountIndex: number;
  mint: Address;
  owner: Address;
  programId: Address;
  uiTokenAmount: UiTokenAmount;
}

/** Returns the token balances of a transaction's accounts, each with the index of its account. */
export function tokenBalances(
  states: readonly (AccountState | null)[],
  read: (address: Address) => AccountState | null,
): TokenBalance[] {
  return states.flatMap((state, accountIndex) => {
    const account = readTokenAccount(state);
    if (!state || !account) return [];
    const { mint, owner, amount } = account;
    const decimals = readMint(read(mint))?.decimals;
    if (decimals === undefined) return [];
    return [
      { accountIndex, mint, owner, programId: state.owner, uiTokenAmount: uiTokenAmount(amount, decimals) },
    ];
  });
}

/** Returns whether an account is an initialized token account of either token program. */
export function isTokenAccount(state: AccountState): boolean {
  return isTokenState(state, ACCOUNT_BYTES, KIND.account) && state.data[108] !== 0;
}

/** Offsets of the mint and the owner in a token account, 32 bytes each. */
export const TOKEN_ACCOUNT_OFFSETS = { mint: 0, owner: 32 };

/** Reads a token account of either token program. Returns null for any other account. */
export function readTokenAccount(state: AccountState | null): TokenAccount | null {
  if (!state || !isTokenAccount(state)) return null;
  return {
    mint: addressAt(state.data, TOKEN_ACCOUNT_OFFSETS.mint),
    owner: addressAt(state.data, TOKEN_ACCOUNT_OFFSETS.owner),
    amount: viewOf(state.data).getBigUint64(64, true),
  };
}

/** Reads a mint of either token program. Returns null for any other account. */
export function readMint(state: AccountState | null): { supply: bigint; decimals: number } | null {
  if (!state || !isTokenState(state, MINT_BYTES, KIND.mint) || state.data[45] === 0) return null;
  return { supply: viewOf(state.data).getBigUint64(36, true), decimals: state.data[44]! };
}

/** Formats an amount of base units with its decimals, without trailing zeros. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction && decimals > 0 ? `${whole}.${fraction}` : whole;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

function isTokenState(state: AccountState, bytes: number, kind: number): boolean {
  if (!TOKEN_PROGRAMS.includes(state.owner)) return false;
  if (state.data.length === bytes) return true;
  return state.owner === TOKEN_2022_PROGRAM && state.data.length > ACCOUNT_BYTES && state.data[165] === kind;
}

function addressAt(data: Uint8Array, offset: number): Address {
  return getAddressDecoder().decode(data.subarray(offset, offset + 32));
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
