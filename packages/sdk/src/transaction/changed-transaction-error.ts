import { ServiceError } from '../errors.ts';
import { compareMessages } from './compare-messages.ts';
import { inWords, type WalletChange, walletChanges } from './wallet-changes.ts';

/**
 * The refusal of what a wallet made of a transaction: `signed` is the message that it returned, or null when what it
 * returned is no transaction with that one signature. `taken` says who takes only what was given.
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
    message: `The wallet did not refuse, it changed the transaction: it ${inWords(changes)}. ${taken}. Turn off the wallet's transaction guards and priority fees for this site, or use another wallet. Nothing was sent.`,
    context: { changes, differences: signed ? compareMessages(given, signed) : [] },
  });
}
