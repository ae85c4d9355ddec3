import { type CreatorPower, powerBits } from '@service/contract';
import {
  type AccountOf,
  type ChainReader,
  type Found,
  type GrantIntent,
  isEnded,
  isProved,
  isSuspended,
  MEMO_PROGRAM,
  passFeeAt,
  programAddresses,
  readAccounts,
  type SuspendIntent,
} from '@service/protocol';
import { ServiceFault } from '../../http/failures/fault.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkPassFunds, ruleNotFound } from './check-pass-funds.ts';
import type { PlanScope } from './plan-scope.ts';

/** The finalized accounts that decide whether a creator can use a power. */
interface PowerFacts {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly ruleSet: AccountOf<'ruleSet'>;
  readonly pass: AccountOf<'pass'> | undefined;
}

/**
 * Checks that the creator of a rule set can suspend a wallet or grant it a pass, or end either.
 *
 * @throws ServiceFault NOT_FOUND, NOT_CREATOR, POWER_NOT_GIVEN, PASS_NOT_SUSPENDED, PASS_NOT_GRANTED, PASS_SUSPENDED,
 *   PASS_LIVE, PASS_FEE_UNSET, PASS_FEE_ABOVE_LIMIT, PASS_FEE_UNFUNDED or INVALID_REQUEST
 */
export async function checkPower(
  scope: PlanScope,
  reader: ChainReader,
  intent: SuspendIntent | GrantIntent,
): Promise<void> {
  const at = programAddresses(reader.program);
  const [config, rule, pass] = await readAccounts(reader, [
    ['config', await at.config()],
    ['ruleSet', intent.rule],
    ['pass', await at.pass(intent.rule, intent.holder)],
  ]);
  if (!rule) throw ruleNotFound(intent.rule);
  const { creator } = rule.data;
  if (creator !== intent.wallet) {
    throw new ServiceFault(
      'NOT_CREATOR',
      `The creator of the rule set is ${creator}. Sign in with this wallet.`,
    );
  }
  const facts = { config, ruleSet: rule.data, pass: pass?.data };
  if (intent.kind === 'SUSPEND') {
    checkGiven(facts, 'suspend');
    checkSuspension(scope, intent, facts);
  } else {
    checkGiven(facts, 'grant');
    if (intent.expiresAt) await checkGrant(scope, intent, facts);
    else checkEndOfGrant(scope, facts);
  }
}

function checkGiven({ ruleSet }: PowerFacts, power: CreatorPower): void {
  if (ruleSet.powers & powerBits([power])) return;
  throw new ServiceFault(
    'POWER_NOT_GIVEN',
    `The rule set does not have the power ${power}, and its powers never change. Create another rule set with it.`,
  );
}

function checkSuspension({ tip }: PlanScope, { until }: SuspendIntent, { pass }: PowerFacts): void {
  if (!until) {
    // The program also lifts one that has lapsed.
    if (!pass?.suspendedUntil) throw new ServiceFault('PASS_NOT_SUSPENDED');
  } else if (until <= tip.time) {
    throw new ServiceFault(
      'INVALID_REQUEST',
      `body.until must be 0, or later than the chain time, ${tip.time}.`,
    );
  }
}

async function checkGrant(scope: PlanScope, intent: GrantIntent, facts: PowerFacts): Promise<void> {
  const { config, ruleSet, pass } = facts;
  const now = scope.tip.time;
  // The transaction writes to the holder, and a transaction cannot write to a program that it calls.
  if ([scope.service.settings.program, MEMO_PROGRAM].includes(intent.holder)) {
    throw new ServiceFault('INVALID_REQUEST', 'body.holder is a program. Use the address of a wallet.');
  }
  checkNotSuspended(scope, facts);
  if (pass && isProved(pass) && pass.expiresAt > now && !isEnded(pass, config)) {
    throw new ServiceFault(
      'PASS_LIVE',
      `The wallet proved a pass that is live until ${pass.expiresAt}. Grant one after that.`,
    );
  }
  await checkPassFunds(scope, intent.rule, (latest) => latest.config && passFeeAt(latest.config.data, now));
  checkExpiry(intent.expiresAt, { now, maxPassAgeSeconds: ruleSet.maxPassAgeSeconds });
}

function checkEndOfGrant(scope: PlanScope, facts: PowerFacts): void {
  if (!facts.pass?.granted) throw new ServiceFault('PASS_NOT_GRANTED');
  checkNotSuspended(scope, facts);
}

function checkNotSuspended({ tip }: PlanScope, { pass }: PowerFacts): void {
  if (!pass || !isSuspended(pass, tip.time)) return;
  throw new ServiceFault(
    'PASS_SUSPENDED',
    'You suspended the pass. Lift the suspension first: POST /api/suspensions with until 0.',
  );
}
