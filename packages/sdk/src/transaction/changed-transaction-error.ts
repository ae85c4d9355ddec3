import { ServiceError } from '../errors.ts';
import { compareMessages } from './compare-messages.ts';
import { inWords, type WalletChange, walletChanges } from './wallet-changes.ts';

/**
 * Returns the error for a wallet that changed a transaction. `signed` is the message that it returned, or null if it
 * returned no transaction with that one signature. `taken` is a sentence that says who accepts only the given transaction.
 */
export function changedTransactionError(
  given: Uint8Array,
  signed: Uint8Array | null,
  taken: string,
): ServiceError {
  const changes: readonly WalletChange[] = signed
    ? walletChanges(given, signed)
    : [{ kind: 'OTHER', what: 'returned no transaction with the wallet’s one signature' }];
  return new ServiceError('WALLET_CHANGED_TRANSACTION', {
    message: `The wallet changed the transaction: it ${inWords(changes)}. ${taken}. Turn off the wallet's transaction guards and priority fees for this site, or use another wallet. Nothing was sent.`,
    context: { changes, differences: signed ? compareMessages(given, signed) : [] },
  });
}
