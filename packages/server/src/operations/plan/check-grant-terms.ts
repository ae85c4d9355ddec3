import { type AccountOf, type GrantIntent, passFeeAt } from '@service/protocol';
import { checkExpiry } from './check-expiry.ts';
import { checkPassFunds } from './check-pass-funds.ts';
import type { PlanScope } from './plan-scope.ts';

/**
 * Checks that the rule set can pay for a granted pass, and when the pass expires. The end of a grant costs nothing.
 *
 * @throws ServiceFault PASS_FEE_UNSET, PASS_FEE_ABOVE_LIMIT, PASS_FEE_UNFUNDED or INVALID_REQUEST
 */
export async function checkGrantTerms(
  scope: PlanScope,
  { rule, expiresAt }: GrantIntent,
  { maxPassAgeSeconds }: AccountOf<'ruleSet'>,
): Promise<void> {
  if (!expiresAt) return;
  const now = scope.tip.time;
  await checkPassFunds(scope, rule, ({ config }) => config && passFeeAt(config.data, now));
  checkExpiry(expiresAt, { now, maxPassAgeSeconds });
}
