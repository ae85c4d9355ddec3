import type {
  Address,
  MessageModifyingSigner,
  MessagePartialSigner,
  TransactionModifyingSigner,
  TransactionPartialSigner,
} from '@solana/kit';

/**
 * A wallet as three members; `standardWallet` makes one of an account of the Wallet Standard (SPEC.md sections 4 and
 * 5).
 */
export interface PlainWallet extends TransactionWallet {
  /** Signs the bytes as they are; resolves to the ed25519 signature, 64 bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/**
 * A wallet that signs transactions alone, as with some hardware: enough for `@service/sdk/chain`; signing in with it is
 * refused with WALLET_CANNOT_SIGN_MESSAGES (SPEC.md sections 4 and 5).
 */
export interface TransactionWallet {
  /** The address whose key signs. */
  readonly address: Address;
  /** Signs a transaction in wire form (signature count, signatures, message); resolves to the signed wire form. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/**
 * A signer of `@solana/kit` that signs both messages and transactions, such as a `KeyPairSigner` (SPEC.md sections 4
 * and 5).
 *
 * @inline
 */
export type KitWallet = (MessagePartialSigner | MessageModifyingSigner) &
  (TransactionPartialSigner | TransactionModifyingSigner);

/**
 * A signer of `@solana/kit` that signs transactions alone; see {@link TransactionWallet} (SPEC.md sections 4 and 5).
 *
 * @inline
 */
export type KitTransactionWallet = TransactionPartialSigner | TransactionModifyingSigner;

/**
 * What signs for the person: a kit signer, a {@link PlainWallet} or an account of the Wallet Standard through
 * `standardWallet`. For a `CryptoKeyPair` see `walletFromKeyPair`.
 *
 * The SDK trusts no wallet to leave a message alone: what comes back is compared and its signature verified (SPEC.md
 * sections 4 and 5).
 */
export type Wallet = KitWallet | PlainWallet | KitTransactionWallet | TransactionWallet;
