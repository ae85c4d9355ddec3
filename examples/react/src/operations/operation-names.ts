import type { OperationKind, OperationState } from '@service/sdk';

export const KIND_NAMES: Readonly<Record<OperationKind, string>> = {
  CREATE_RULE_SET: 'Create a rule set',
  BIND_MINT: 'Bind a token',
  PROVE: 'Prove a rule set',
  ISSUE: 'Issue tokens',
  TRANSFER: 'Transfer tokens',
  RECOVER: 'Recover tokens',
  REDEEM: 'Redeem tokens',
  SUSPEND: 'Suspend a holder',
  GRANT: 'Grant a pass',
};

export const STATE_NAMES: Readonly<Record<OperationState | 'SIGNED', string>> = {
  DRAFT: 'waits for your signature',
  EXPIRED: 'expired',
  SIGNED: 'signed, being sent',
  QUEUED: 'accepted by the service',
  SUBMITTED: 'sent, waiting until it is final',
  UNRESOLVED: 'sent, the outcome is not known yet',
  FINALIZED: 'the service says it is final, checking the chain',
  FAILED: 'the service says it failed, checking the chain',
};

/** While the page's own RPC shows the transaction as confirmed. */
export const CONFIRMED = 'confirmed, and not final yet.';
