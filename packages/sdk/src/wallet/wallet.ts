import type {
  Address,
  MessageModifyingSigner,
  MessagePartialSigner,
  TransactionModifyingSigner,
  TransactionPartialSigner,
} from '@solana/kit';

/**
 * A wallet with three members. `standardWallet` creates one from an account of the Wallet Standard (SPEC.md sections 4
 * and 5).
 */
export interface PlainWallet extends TransactionWallet {
  /** Signs the bytes unchanged. Resolves to the ed25519 signature, 64 bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/**
 * A wallet that only signs transactions, as some hardware wallets do. It is enough for `@service/sdk/chain`. Signing in
 * with it throws WALLET_CANNOT_SIGN_MESSAGES (SPEC.md sections 4 and 5).
 */
export interface TransactionWallet {
  /** The address whose key signs. */
  readonly address: Address;
  /** Signs a transaction in wire form (signature count, signatures, message). Resolves to the signed wire form. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
  /**
   * Signs several transactions at one prompt, for `issueMany`. Resolves to them in the same order. Without it,
   * `signTransaction` is called for one after another.
   */
  signAllTransactions?(transactions: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
}

/**
 * A signer of `@solana/kit` that signs both messages and transactions, such as a `KeyPairSigner` (SPEC.md sections 4
 * and 5).
 */
export type KitWallet = (MessagePartialSigner | MessageModifyingSigner) &
  (TransactionPartialSigner | TransactionModifyingSigner);

/**
 * A signer of `@solana/kit` that only signs transactions: see {@link TransactionWallet} (SPEC.md sections 4 and 5).
 */
export type KitTransactionWallet = TransactionPartialSigner | TransactionModifyingSigner;

/**
 * A wallet that signs for the person: a kit signer, a {@link PlainWallet}, or an account of the Wallet Standard through
 * `standardWallet`. For a `CryptoKeyPair` use `walletFromKeyPair`.
 *
 * The SDK does not trust wallets. It compares what they return with what they were given, and verifies the signature
 * (SPEC.md sections 4 and 5).
 */
export type Wallet = KitWallet | PlainWallet | KitTransactionWallet | TransactionWallet;
