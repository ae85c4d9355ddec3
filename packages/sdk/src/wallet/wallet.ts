import type {
  Address,
  MessageModifyingSigner,
  MessagePartialSigner,
  TransactionModifyingSigner,
  TransactionPartialSigner,
} from '@solana/kit';

/**
 * A wallet as three members. From an account of the Wallet Standard:
 * `signMessage: async (message) => (await features['solana:signMessage'].signMessage({ account, message }))[0].signature` and
 * `signTransaction: async (transaction) => (await features['solana:signTransaction'].signTransaction({ account, transaction }))[0].signedTransaction`.
 */
export interface PlainWallet {
  readonly address: Address;
  /** Signs the bytes as they are; resolves to the ed25519 signature, 64 bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Signs a transaction in wire form (signature count, signatures, message); resolves to the signed wire form. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/** A signer of `@solana/kit` that signs both messages and transactions, such as a `KeyPairSigner`. */
export type KitWallet = (MessagePartialSigner | MessageModifyingSigner) &
  (TransactionPartialSigner | TransactionModifyingSigner);

/**
 * What signs for the person: a kit signer or a {@link PlainWallet}. For a `CryptoKeyPair` see `walletFromKeyPair`.
 *
 * The SDK trusts no wallet to leave a message alone: what comes back is compared and its signature verified.
 */
export type Wallet = KitWallet | PlainWallet;
