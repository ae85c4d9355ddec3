/** Checks what a wallet returns for a transaction: the given message, or one with additions that the caller allows. */
import { type AdditionLimits, adoptable, MAX_TRANSACTION_BYTES } from '@service/protocol';
import { type Address, getTransactionDecoder, type SignatureBytes, type Transaction } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { Signer } from '../wallet/signer.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import { changedTransactionError } from './changed-transaction-error.ts';
import { sameBytes } from './compare-messages.ts';

/** What a wallet was given, and what it returned. */
export interface WalletAnswer {
  readonly wallet: Address;
  /** The given transaction in wire form. */
  readonly wire: Uint8Array;
  readonly answer: Uint8Array;
  /** A sentence on who accepts only the given transaction, for messages. */
  readonly taken: string;
  /** What the wallet may add; null if the caller cannot allow anything. */
  readonly limits: AdditionLimits | null;
}

/** A message that a wallet signed, with its signature, which is verified. */
export interface SignedMessage {
  readonly message: Uint8Array;
  readonly signature: SignatureBytes;
  /** Whether it is the given message to the byte. */
  readonly isUnchanged: boolean;
}

/**
 * Asks a wallet to sign a transaction, and returns its signature. The wallet must return the message unchanged.
 *
 * @throws ServiceError WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID
 */
export async function signUnchanged(
  signer: Signer,
  wire: Uint8Array,
  taken: string,
): Promise<SignatureBytes> {
  const answer = await signer.signTransaction(wire);
  return (await checkAnswer({ wallet: signer.address, wire, answer, taken, limits: null })).signature;
}

/**
 * Returns the message that a wallet signed. Wallets change transactions, so it must be the given one, or the given one with
 * additions within the limits.
 *
 * @throws ServiceError WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID
 */
export async function checkAnswer({
  wallet,
  wire,
  answer,
  taken,
  limits,
}: WalletAnswer): Promise<SignedMessage> {
  const given = new Uint8Array(getTransactionDecoder().decode(wire).messageBytes);
  const returned = readAnswer(answer);
  const message = returned && new Uint8Array(returned.messageBytes);
  const isUnchanged = message !== null && sameBytes(message, given);
  if (!isUnchanged) {
    const mayChange = limits && (limits.guards || limits.maxPriorityFeeLamports > 0n);
    const adoption = message && mayChange ? adoptable(given, message, { wallet, limits }) : null;
    if (!adoption?.isAdoptable)
      throw changedTransactionError(given, {
        signed: message,
        taken,
        reason: adoption?.reason,
        canAllow: limits !== null,
      });
  }
  const signature = returned?.signatures[wallet];
  if (message && signature && (await verifySignature(wallet, message, new Uint8Array(signature))))
    return { message, signature, isUnchanged };
  // A valid signature over the changed message may exist. Over the given one, a later prompt would return the same.
  if (!isUnchanged) {
    const reason = 'returned no valid signature over it';
    throw changedTransactionError(given, { signed: message, taken, reason, canAllow: false });
  }
  throw new ServiceError('WALLET_SIGNATURE_INVALID', {
    message: `The wallet's signature over the transaction is not valid for ${wallet}. Choose that account in the wallet. Nothing was sent.`,
  });
}

/** Returns the transaction that a wallet returned, or null if its bytes are not one. */
export function readAnswer(answer: Uint8Array): Transaction | null {
  // Describing a huge answer would block the page.
  if (answer.length > MAX_TRANSACTION_BYTES) return null;
  try {
    return getTransactionDecoder().decode(answer);
  } catch {
    return null;
  }
}
