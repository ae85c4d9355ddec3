import { MAX_TRANSACTION_BYTES } from '@service/protocol';
import { getTransactionDecoder, type SignatureBytes, type Transaction } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { Signer } from '../wallet/signer.ts';
import { verifySignature } from '../wallet/verify-signature.ts';
import { changedTransactionError } from './changed-transaction-error.ts';
import { sameBytes } from './compare-messages.ts';

/**
 * Has a wallet sign a transaction, and returns its signature. Wallets change transactions (guards, priority fees), so the
 * message must come back unchanged. `taken` is a sentence on who accepts only the given transaction.
 *
 * @throws ServiceError WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID
 */
export async function signUnchanged(
  signer: Signer,
  wire: Uint8Array,
  taken: string,
): Promise<SignatureBytes> {
  const message = new Uint8Array(getTransactionDecoder().decode(wire).messageBytes);
  const answer = await signer.signTransaction(wire);
  // Describing a huge answer would block the page.
  const returned = answer.length > MAX_TRANSACTION_BYTES ? null : decode(answer);
  const returnedMessage = returned && new Uint8Array(returned.messageBytes);
  if (!returnedMessage || !sameBytes(returnedMessage, message))
    throw changedTransactionError(message, returnedMessage, taken);
  const signature = returned.signatures[signer.address];
  if (signature && (await verifySignature(signer.address, message, new Uint8Array(signature))))
    return signature;
  throw new ServiceError('WALLET_SIGNATURE_INVALID', {
    message: `The wallet's signature over the transaction is not valid for ${signer.address}. Choose that account in the wallet. Nothing was sent.`,
  });
}

function decode(wire: Uint8Array): Transaction | null {
  try {
    return getTransactionDecoder().decode(wire);
  } catch {
    return null;
  }
}
