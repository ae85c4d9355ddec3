import { isServiceError, type ServiceErrorCode } from '@service/sdk';

/** Words for the person, where the message of the SDK names a call that only a developer can make. */
const WORDS: Partial<Record<ServiceErrorCode, string>> = {
  WALLET_REJECTED: 'You declined in your wallet, so this was not sent. Try again when you are ready.',
  NOT_ELIGIBLE: 'You do not meet this rule set, so no pass was opened. Nothing was sent.',
  AUTHENTICATION_REQUIRED: 'You are not signed in. Sign in, then try again.',
  SESSION_EXPIRED: 'Your session has ended. Sign in again.',
  WALLET_MISMATCH:
    'This belongs to another wallet than the one that is signed in now, perhaps in another tab. Switch the wallet, or sign in again.',
  CREDENTIAL_REQUIRED: 'You have no credential. Get verified first.',
  VERIFICATION_FAILED: 'The verifier did not verify you. You can try again.',
  WITNESS_INVALID:
    'The witness in this tab or in the link does not fit your newest credential, or is damaged. Get verified again.',
  CREDENTIAL_EXPIRED: 'Your credential has expired. Get verified again.',
  DRAFT_EXPIRED: 'The time to sign has passed, so nothing changed. Start again.',
  PLACE_NOT_IN_RULE_SET:
    'This page does not know how many of your wallets the rule set allows. Reload the page, then try again.',
  NO_PLACE_FREE:
    'Other wallets of yours count already, and the rule set allows no more. If you lost one of them, choose “This replaces a lost wallet”.',
  PLACE_TAKEN:
    'Another wallet of yours took this place just now. Prove again: your wallet then takes another one.',
  PLACE_NOT_HELD:
    'The wallet to replace is not one of your wallets in this rule set any more. Choose another one.',
  PLACE_TAKEN_TOO_SOON:
    'The wallet that you replace proved the rule set less than an hour ago. Wait until the hour is over, then prove again.',
  PLACE_HELD_BY_SUSPENDED:
    'The creator of the rule set suspended the wallet to replace, so you cannot replace it. Ask the creator.',
  SIGNED_OPERATION_PENDING:
    'Another transaction of your wallet is not over yet. Wait until it has ended, then try again.',
  OPERATION_ALREADY_SIGNED:
    'You have signed this already. Do not repeat it. “Under way” shows how it ends, also after a reload.',
  OUTCOME_UNKNOWN:
    'You signed, but it is not known yet whether it took effect. Do not repeat it. “Under way” shows how it ends, also after a reload.',
};

/** Returns what happened and what to do, for the person at the page. */
export function wordsOf(error: Error): string {
  if (!isServiceError(error)) return error.message;
  if (isServiceError(error, 'OPERATION_FAILED')) {
    return error.context.reason === 'NEVER_LANDED'
      ? 'Your transaction did not reach the chain in time. Nothing changed, and you paid no fee. Check that your wallet has SOL, then try again.'
      : 'The chain rejected your transaction. Nothing changed but the network fee. Read above why it would fail now, then try again.';
  }
  return WORDS[error.code] ?? error.message;
}
