import type { TransferCheckReason } from '@service/sdk';

/** Says why a transfer would fail, and what to do. */
export const REASONS: Readonly<Record<TransferCheckReason['code'], string>> = {
  AMOUNT_INVALID: 'Enter an amount above zero.',
  SAME_TOKEN_ACCOUNT: 'This is your own address. Enter another one.',
  PROTOCOL_PAUSED: 'The protocol is paused. Try again later.',
  MINT_PAUSED: 'The issuer paused this token. Try again later.',
  MINT_NOT_BOUND: 'The token has no rule set yet. Ask the issuer to bind it.',
  TOKEN_ACCOUNT_NOT_FOUND:
    'This address has no account for the token. It gets one when it has a pass and the issuer sends it tokens.',
  TOKEN_ACCOUNT_OF_OTHER_MINT: 'The account is for another token.',
  TOKEN_ACCOUNT_OWNER_MUTABLE: 'The owner of the account of this address can change. Enter another address.',
  TOKEN_ACCOUNT_FROZEN: 'The account is frozen. Ask the issuer to thaw it.',
  NOT_SOURCE_OWNER: 'The tokens belong to another wallet. Choose that wallet.',
  NOT_ISSUER: 'Only the issuer can issue this token.',
  DELEGATED_AMOUNT_TOO_LOW: 'You may not send that much. Enter a lower amount.',
  BALANCE_TOO_LOW: 'You do not have that much. Enter a lower amount.',
  INSUFFICIENT_FUNDS: 'Your wallet has too little SOL for the fee. Send SOL to it.',
  DESTINATION_PASS_MISSING: 'The recipient has no pass, and must prove the rule set first.',
  DESTINATION_PASS_EXPIRED: 'The pass of the recipient has expired. The recipient must renew it.',
  DESTINATION_PASS_SUSPENDED: 'The creator of the rule set suspended the pass of the recipient.',
  DESTINATION_PASS_GRANTED: 'The pass of the recipient was granted. The recipient must prove the rule set.',
  DESTINATION_PASS_UNSUPPORTED:
    'The credential of the recipient was revoked or replaced. The recipient must prove the rule set again.',
  SOURCE_PASS_MISSING: 'You need a pass. Prove the rule set first.',
  SOURCE_PASS_EXPIRED: 'Your pass has expired. Renew it.',
  SOURCE_PASS_SUSPENDED: 'The creator of the rule set suspended your pass. Ask the creator.',
  SOURCE_PASS_GRANTED: 'Your pass was granted. Prove the rule set first.',
  SOURCE_PASS_UNSUPPORTED: 'Your credential was revoked or replaced. Prove the rule set again.',
};
