import type { Address } from '@solana/kit';
import { readMint, readTokenAccount } from '../tokens/token-state.ts';
import { type UiTokenAmount, uiTokenAmount } from '../tokens/ui-amount.ts';
import type { AccountState } from './account-versions.ts';

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
    // A node ignores interest and scale here.
    return [
      {
        accountIndex,
        mint,
        owner,
        programId: state.owner,
        uiTokenAmount: uiTokenAmount(amount, { decimals }, 0),
      },
    ];
  });
}
