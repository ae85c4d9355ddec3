/** Defines kinds of simulated wallets, and makes them from tables. */
import type { Answer } from './prompt.ts';

/** What a wallet can sign. */
export interface WalletAbilities {
  /** Whether it has `solana:signMessage`. */
  readonly signsMessages: boolean;
  /** Whether it has `solana:signTransaction`. */
  readonly signsTransactions: boolean;
}

/** One kind of simulated wallet, with its implementation. */
export interface WalletKind extends WalletAbilities {
  readonly id: string;
  readonly label: string;
  readonly does: string;
  readonly isHostile: boolean;
  readonly needsRpc: boolean;
  readonly answer: Answer;
}

/** A row of a table: what differs from a wallet that signs everything, needs no RPC, and changes nothing. */
export interface WalletRow extends Partial<WalletAbilities> {
  readonly label: string;
  readonly does: string;
  readonly needsRpc?: boolean;
  readonly answer?: Answer;
}

/** Makes a kind of each row of a table. The keys are the ids. */
export function walletKinds(
  isHostile: boolean,
  table: Readonly<Record<string, WalletRow>>,
): readonly WalletKind[] {
  return Object.entries(table).map(([id, row]) => ({
    id,
    isHostile,
    needsRpc: false,
    signsMessages: true,
    signsTransactions: true,
    answer: (prompt) => prompt.signOriginal(),
    ...row,
  }));
}
