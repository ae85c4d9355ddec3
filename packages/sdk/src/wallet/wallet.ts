import type {
  Address,
  MessageModifyingSigner,
  MessagePartialSigner,
  TransactionModifyingSigner,
  TransactionPartialSigner,
} from '@solana/kit';

/** A wallet as three members: what a wallet adapter gives, or what is written by hand. */
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
