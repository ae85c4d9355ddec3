import type { OperationKind } from '../operation.ts';

/** The name of the endpoint that prepares each kind, in `CLIENT_ROUTES`. */
export const PREPARING_ROUTES = {
  CREATE_RULE_SET: 'createRuleSet',
  BIND_MINT: 'bindMint',
  PROVE: 'prove',
  ISSUE: 'issue',
  TRANSFER: 'transfer',
  RECOVER: 'recover',
  REDEEM: 'redeem',
  SUSPEND: 'suspend',
  GRANT: 'grant',
} as const satisfies Record<OperationKind, string>;
