import type { TransferCheckReason } from '@service/sdk';
import { formatSol } from '../chain/amounts.ts';
import { nameOrShortAddress } from '../site/address.tsx';
import { dateOf, PAUSED, type ReasonWords } from './reason-words.ts';

const WHO: Readonly<Record<TransferCheckReason['who'], string>> = {
  holder: 'You',
  recipient: 'The recipient',
  issuer: 'The issuer',
  operator: 'The operator',
};

interface TransferWords {
  /** Writes base units as tokens. */
  readonly format: (units: bigint) => string;
  /** The holder of the destination, for the texts. */
  readonly recipient: string;
}

export function wordsOfTransferReason(reason: TransferCheckReason, words: TransferWords): ReasonWords {
  return { who: WHO[reason.who], text: textOf(reason, words) };
}

function textOf(reason: TransferCheckReason, { format, recipient }: TransferWords): string {
  switch (reason.code) {
    case 'AMOUNT_INVALID':
      return 'Enter an amount above zero.';
    case 'SAME_TOKEN_ACCOUNT':
      return 'Choose another wallet. Sender and recipient are the same.';
    case 'PROTOCOL_PAUSED':
      return PAUSED;
    case 'MINT_PAUSED':
      return 'The issuer paused this token. Try again when the issuer has resumed it.';
    case 'MINT_NOT_BOUND':
      return 'The token is not bound to a rule set. The issuer must bind it first.';
    case 'TOKEN_ACCOUNT_NOT_FOUND':
      return reason.who === 'recipient'
        ? `${recipient} has no account for this token yet.`
        : 'You have no account for this token.';
    case 'TOKEN_ACCOUNT_OF_OTHER_MINT':
      return 'The account is for another token. Choose another account.';
    case 'TOKEN_ACCOUNT_OWNER_MUTABLE':
      return 'The owner of the token account can change. Use the associated token account.';
    case 'TOKEN_ACCOUNT_FROZEN':
      return 'The token account is frozen. Ask the issuer to thaw it.';
    case 'NOT_SOURCE_OWNER':
      return `The tokens belong to ${nameOrShortAddress(reason.owner)}. Switch to that wallet.`;
    case 'NOT_ISSUER':
      return `Only ${nameOrShortAddress(reason.issuer)} can issue this token. Switch to that wallet.`;
    case 'DELEGATED_AMOUNT_TOO_LOW':
      return `You may still send ${format(reason.delegatedAmount)}. Enter a lower amount.`;
    case 'BALANCE_TOO_LOW':
      return `You have ${format(reason.balance)}. Enter a lower amount.`;
    case 'INSUFFICIENT_FUNDS':
      return `The wallet needs ${formatSol(reason.needed - reason.balance)} more to pay the fee. Send SOL to it.`;
    case 'DESTINATION_PASS_MISSING':
      return `${recipient} has no pass of this rule set. ${recipient} must prove it first.`;
    case 'DESTINATION_PASS_EXPIRED':
      return `The pass of ${recipient} expired on ${dateOf(reason.expiresAt)}. ${recipient} must renew it.`;
    case 'SOURCE_PASS_MISSING':
      return 'The sender needs a pass too, and you have none. Prove the rule set first.';
    case 'SOURCE_PASS_EXPIRED':
      return `Your pass expired on ${dateOf(reason.expiresAt)}. Renew it first.`;
    case 'DESTINATION_PASS_SUSPENDED':
      return `The creator of the rule set suspended the pass of ${recipient}. Ask the creator.`;
    case 'SOURCE_PASS_SUSPENDED':
      return 'The creator of the rule set suspended your pass. Ask the creator.';
    case 'DESTINATION_PASS_GRANTED':
      return `The pass of ${recipient} was granted, and this token does not accept that. ${recipient} must prove the rule set.`;
    case 'SOURCE_PASS_GRANTED':
      return 'Your pass was granted, and this token does not accept that. Prove the rule set first.';
    case 'DESTINATION_PASS_UNSUPPORTED':
      return `The credential of ${recipient} was revoked or replaced. ${recipient} must prove the rule set again, with a valid credential.`;
    case 'SOURCE_PASS_UNSUPPORTED':
      return 'Your credential was revoked or replaced. Prove the rule set again, with a valid credential.';
  }
}
