import type { Address } from '@solana/kit';
import type { AccountState } from '../chain/account-versions.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../chain/addresses.ts';
import { readExtensions, stateName } from './extensions.ts';
import {
  extensionBytes,
  type Mint,
  readMint,
  readMultisig,
  readTokenAccount,
  type TokenAccount,
} from './token-state.ts';
import { type MintAmounts, uiTokenAmount } from './ui-amount.ts';

/** An account of a token program in the `jsonParsed` format of a node. */
export interface ParsedAccount {
  program: 'spl-token' | 'spl-token-2022';
  parsed: { type: 'account' | 'mint' | 'multisig'; info: Record<string, unknown> };
  space: bigint;
}

/** The accounts and the time at the slot of a request. */
export interface TokenView {
  read: (address: Address) => AccountState | null;
  /** Unix seconds. */
  time: number;
}

/** Returns what a mint says about amounts. Returns null if the account is not a mint. */
export function mintAmounts(mint: Address, view: TokenView): MintAmounts | null {
  const state = view.read(mint);
  const base = readMint(state);
  if (!state || !base) return null;
  const amounts: MintAmounts = { decimals: base.decimals };
  for (const { extension, state: of } of readExtensions(extensionBytes(state), 'mint')) {
    if (extension === 'interestBearingConfig') amounts.interest = of as NonNullable<MintAmounts['interest']>;
    if (extension === 'scaledUiAmountConfig') amounts.scale = of as NonNullable<MintAmounts['scale']>;
  }
  return amounts;
}

/**
 * Parses an account of a token program. Returns null for an account that is not initialized, and for a token account
 * whose mint does not exist.
 */
export function parseTokenAccount(state: AccountState, view: TokenView): ParsedAccount | null {
  const parsed = parse(state, view);
  const program = state.owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  return parsed && { program, parsed, space: BigInt(state.data.length) };
}

function parse(state: AccountState, view: TokenView): ParsedAccount['parsed'] | null {
  const account = readTokenAccount(state);
  if (account) {
    const amounts = mintAmounts(account.mint, view);
    const extensions = extensionsOf(state, 'account');
    return (
      amounts && { type: 'account', info: { ...accountInfo(account, amounts, view.time), ...extensions } }
    );
  }
  const mint = readMint(state);
  if (mint) return { type: 'mint', info: { ...mintInfo(mint), ...extensionsOf(state, 'mint') } };
  const multisig = readMultisig(state);
  if (!multisig) return null;
  // A node does not list signers that are not set.
  const signers = multisig.signers.filter((signer) => signer !== SYSTEM_PROGRAM);
  return { type: 'multisig', info: { ...multisig, signers } };
}

function accountInfo(account: TokenAccount, amounts: MintAmounts, time: number) {
  const { mint, owner, amount, delegate, state, nativeReserve, delegatedAmount, closeAuthority } = account;
  const ui = (units: bigint) => uiTokenAmount(units, amounts, time);
  return {
    mint,
    owner,
    tokenAmount: ui(amount),
    state: stateName(state),
    isNative: nativeReserve !== null,
    ...(nativeReserve !== null && { rentExemptReserve: ui(nativeReserve) }),
    ...(delegate !== null && { delegate, delegatedAmount: ui(delegatedAmount) }),
    ...(closeAuthority !== null && { closeAuthority }),
  };
}

function mintInfo({ supply, ...mint }: Mint) {
  return { ...mint, supply: supply.toString() };
}

/** Returns the extensions of an account. A node leaves the member out if there are none. */
function extensionsOf(state: AccountState, kind: 'mint' | 'account') {
  const extensions = readExtensions(extensionBytes(state), kind);
  return extensions.length > 0 ? { extensions } : {};
}
