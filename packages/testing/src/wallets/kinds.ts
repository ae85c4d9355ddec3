/** Defines kinds of simulated wallets, and makes them from tables. */
import type { Answer } from './prompt.ts';

/** What a wallet can sign. */
export interface WalletAbilities {
  /** Whether it has `solana:signMessage`. */
  readonly signsMessages: boolean;
  /** Whether it has `solana:signTransaction`. */
  readonly signsTransactions: boolean;
}

/** One kind of simulated wallet. Not in SPEC.md: for tests. */
export interface SimulatedWalletKind {
  /** Kebab-case; unique. */
  readonly id: string;
  /** The wallet, as a test names it. */
  readonly label: string;
  /** What it does to a transaction, in one sentence. */
  readonly does: string;
  /** Whether no wallet should do so. */
  readonly isHostile: boolean;
  /** Whether it needs an RPC, to simulate or to send. */
  readonly needsRpc: boolean;
}

/** A kind with its implementation. */
export interface WalletKind extends SimulatedWalletKind, WalletAbilities {
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
