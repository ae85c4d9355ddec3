/** Checks what a wallet returns for a transaction: the given message, or one with additions that the caller allows. */
import { type AdditionLimits, adoptable, MAX_TRANSACTION_BYTES } from '@service/protocol';
import {
  type Address,
  getBase58Decoder,
  getTransactionDecoder,
  type Signature,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import { sameBytes } from './compare-messages.ts';
import { changedTransactionError } from './wallet-changes.ts';

/** What a wallet was given, and what it returned. */
export interface WalletAnswer {
  readonly wallet: Address;
  /** The given transaction in wire form. */
  readonly wire: Uint8Array;
  readonly answer: Uint8Array;
  /** The other signers of the given transaction. An operation has none. @default none */
  readonly keys?: readonly Address[];
  /** A sentence on who accepts only the given transaction, for messages. */
  readonly taken: string;
  /** What the wallet may add. */
  readonly limits: AdditionLimits;
  /** Whether nothing looks later for what the wallet signed, so that the caller must. @default false */
  readonly isForgotten?: boolean;
}

/** A message that a wallet signed, with its signature, which is verified. */
export interface SignedMessage {
  readonly message: Uint8Array;
  readonly signature: SignatureBytes;
  /** Whether it is the given message to the byte. */
  readonly isUnchanged: boolean;
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
  keys = [],
  taken,
  limits,
  isForgotten = false,
}: WalletAnswer): Promise<SignedMessage> {
  const given = new Uint8Array(getTransactionDecoder().decode(wire).messageBytes);
  const returned = readAnswer(answer);
  const message = returned && new Uint8Array(returned.messageBytes);
  const signature = returned?.signatures[wallet];
  const isUnchanged = message !== null && sameBytes(message, given);
  const lookUp = returned && isForgotten ? transactionSignature(returned) : undefined;
  if (!isUnchanged) {
    const mayChange = limits.guards || limits.maxPriorityFeeLamports > 0n;
    const adoption = message && mayChange ? adoptable(given, message, { wallet, keys, limits }) : null;
    if (!adoption?.isAdoptable) {
      throw changedTransactionError(given, { signed: message, taken, lookUp, reason: adoption?.reason });
    }
  }
  if (message && signature && (await verifySignature(wallet, message, new Uint8Array(signature))))
    return { message, signature, isUnchanged };
  throw new ServiceError('WALLET_SIGNATURE_INVALID', {
    message: `The wallet's signature over the transaction is not valid for ${wallet}. Choose that account in the wallet. This client sent nothing. The wallet may have signed something else, so wait about two minutes before you repeat the call.`,
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

/** Returns the signature by which the chain knows a transaction: that of the fee payer, which can be another wallet. */
export function transactionSignature({ signatures }: Transaction): Signature | undefined {
  const signature = Object.values(signatures).find((each) => each !== null);
  return signature && (getBase58Decoder().decode(signature) as Signature);
}
