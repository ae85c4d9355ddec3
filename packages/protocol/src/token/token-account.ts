/** Token-2022 token accounts: the fields that the service needs, and the ImmutableOwner extension. */
import { type Address, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';
import { AccountState, getTokenDecoder, getTokenSize } from '@solana-program/token';
import { readExtensions } from './extensions.ts';

const ACCOUNT_TYPE_ACCOUNT = 2;
const IMMUTABLE_OWNER = 7;

/** A token account; amount in base units. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  /** The delegate, who may move up to delegatedAmount, or null. */
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** Whether its owner can never change. Otherwise the hook and issue-tokens reject it as a destination. */
  readonly immutableOwner: boolean;
}

/** Decodes the token account in the data of an account that Token-2022 owns. Returns null for other data. */
export function decodeTokenAccount(data: ReadonlyUint8Array): TokenAccount | null {
  if (data.length < getTokenSize()) return null;
  const token = getTokenDecoder().decode(data);
  if (token.state === AccountState.Uninitialized) return null;
  const extensions = data.length === getTokenSize() ? [] : readExtensions(data, ACCOUNT_TYPE_ACCOUNT);
  if (!extensions) return null;
  return {
    mint: token.mint,
    owner: token.owner,
    amount: token.amount,
    delegate: unwrapOption(token.delegate),
    delegatedAmount: token.delegatedAmount,
    frozen: token.state === AccountState.Frozen,
    immutableOwner: extensions.some(({ type }) => type === IMMUTABLE_OWNER),
  };
}
