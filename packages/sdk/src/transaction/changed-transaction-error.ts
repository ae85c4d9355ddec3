import type { Signature } from '@solana/kit';
import type { WalletChange } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { compareMessages } from './compare-messages.ts';
import { nonceOf } from './durable-nonce.ts';
import { inWords, walletChanges } from './wallet-changes.ts';

/** Changes that a caller can allow. */
const ALLOWABLE: readonly WalletChange['kind'][] = ['GUARD', 'PRIORITY_FEE', 'COMPUTE_LIMIT'];

/**
 * Returns the error for a wallet that changed a transaction. `signed` is the message that it returned, or null if it
 * returned no transaction with that one signature. `taken` is a sentence that says who accepts only the given transaction.
 * If the caller allows additions, `reason` says why these are not accepted.
 * `lookUp` is the signature of what the wallet signed, if only the caller can look for it.
 */
export function changedTransactionError(
  given: Uint8Array,
  {
    signed,
    taken,
    reason,
    lookUp,
  }: {
    readonly signed: Uint8Array | null;
    readonly taken: string;
    readonly reason: string | undefined;
    readonly lookUp: Signature | undefined;
  },
): ServiceError {
  const changes: readonly WalletChange[] = signed
    ? walletChanges(given, signed)
    : [{ kind: 'OTHER', what: 'returned no transaction with the wallet’s one signature' }];
  const why = reason ? ` This change is not accepted, because the wallet ${reason}.` : '';
  const isAllowable = changes.every(({ kind }) => ALLOWABLE.includes(kind));
  const remedy = isAllowable ? allowing(changes, reason !== undefined) : 'Use another wallet.';
  return new ServiceError('WALLET_CHANGED_TRANSACTION', {
    message: `The wallet changed the transaction: it ${inWords(changes)}.${why} ${taken}. ${remedy} This client sent nothing. The wallet can still send what it signed${beforeRepeat(signed, lookUp)}`,
    context: { changes, differences: signed ? compareMessages(given, signed) : [] },
  });
}

/** Returns what to do before a repetition, as the end of a sentence on what the wallet signed. */
function beforeRepeat(signed: Uint8Array | null, lookUp: Signature | undefined): string {
  const look = lookUp ? `, and look up ${lookUp} on chain,` : '';
  const nonce = signed && nonceOf(signed);
  return nonce
    ? `, and it never expires: it has the durable nonce of ${nonce.account}. Advance that nonce${look} before you repeat the call.`
    : `, so wait about two minutes${look} before you repeat the call.`;
}

/** Returns a sentence that says how to accept the additions. `isLimit`: the caller allows some, but not these. */
function allowing(changes: readonly WalletChange[], isLimit: boolean): string {
  const has = (wanted: WalletChange['kind']) => changes.some(({ kind }) => kind === wanted);
  const options = [
    ...(has('GUARD') ? [isLimit ? 'guards' : 'guards: true'] : []),
    // A limit alone costs nothing.
    ...(has('PRIORITY_FEE') || !has('GUARD') ? ['maxPriorityFeeLamports'] : []),
  ];
  if (isLimit) return `To accept this change, adjust ${options.join(' or ')}. Otherwise, use another wallet.`;
  return `To accept such a wallet, pass ${options.join(' and ')}.`;
}
