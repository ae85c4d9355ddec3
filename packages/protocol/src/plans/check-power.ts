import { type CreatorPower, powerBits } from '@service/contract/creator-powers';
import type { Address } from '@solana/kit';
import { MEMO_PROGRAM, programAddresses } from '../addresses.ts';
import { isEnded, isSuspended } from '../state/governance.ts';
import { isProved } from '../state/pass-times.ts';
import { type AccountOf, type ChainReader, type Found, readAccounts } from '../state/read.ts';
import type { GrantIntent, SuspendIntent } from './intent.ts';
import { PlanError } from './plan-instruction.ts';

/** The accounts that decide whether a creator can use a power, and the chain time in Unix seconds. */
interface PowerFacts {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly ruleSet: AccountOf<'ruleSet'>;
  readonly pass: AccountOf<'pass'> | undefined;
  readonly chainTime: bigint;
}

/**
 * Checks that the wallet can suspend the holder or grant it a pass, or end either, at a chain time in Unix seconds. Does not
 * check the pass funds, nor when a granted pass expires. Returns the rule set.
 *
 * @throws PlanError NOT_FOUND, NOT_CREATOR, POWER_NOT_GIVEN, PASS_NOT_SUSPENDED, PASS_NOT_GRANTED, PASS_SUSPENDED,
 *   PASS_PROVED or INVALID_REQUEST
 */
export async function checkPower(
  reader: ChainReader,
  intent: SuspendIntent | GrantIntent,
  chainTime: bigint,
): Promise<AccountOf<'ruleSet'>> {
  const at = programAddresses(reader.program);
  const [config, rule, pass] = await readAccounts(reader, [
    ['config', await at.config()],
    ['ruleSet', intent.rule],
    ['pass', await at.pass(intent.rule, intent.holder)],
  ]);
  if (!rule) throw new PlanError('NOT_FOUND', `There is no rule set at ${intent.rule}. Check the address.`);
  const { creator } = rule.data;
  if (creator !== intent.wallet) {
    throw new PlanError(
      'NOT_CREATOR',
      `The creator of the rule set is ${creator}. Sign in with this wallet.`,
    );
  }
  const facts = { config, ruleSet: rule.data, pass: pass?.data, chainTime };
  if (intent.kind === 'SUSPEND') checkSuspension(intent, facts);
  else if (intent.expiresAt) checkGrant(reader, intent, facts);
  else checkEndOfGrant(facts);
  return rule.data;
}

function checkGiven({ ruleSet }: PowerFacts, power: CreatorPower): void {
  if (ruleSet.powers & powerBits([power])) return;
  throw new PlanError(
    'POWER_NOT_GIVEN',
    `The rule set does not have the power ${power}, and its powers never change. Create another rule set with it.`,
  );
}

function checkSuspension({ until }: SuspendIntent, facts: PowerFacts): void {
  const { pass, chainTime } = facts;
  checkGiven(facts, 'suspend');
  // The program also lifts a suspension that has lapsed.
  if (!until && !pass?.suspendedUntil) {
    throw new PlanError('PASS_NOT_SUSPENDED', 'The wallet is not suspended, so there is nothing to lift.');
  }
  if (until && until <= chainTime) {
    throw new PlanError(
      'INVALID_REQUEST',
      `body.until must be 0, or later than the chain time, ${chainTime}.`,
    );
  }
}

function checkGrant({ program }: ChainReader, { holder }: GrantIntent, facts: PowerFacts): void {
  const { config, pass, chainTime } = facts;
  checkGiven(facts, 'grant');
  // The transaction writes to the holder, and cannot write to a program that it calls or to a reserved account.
  if (holder === program || holder === MEMO_PROGRAM || isReserved(holder)) {
    throw new PlanError('INVALID_REQUEST', 'body.holder must be the address of a wallet.');
  }
  checkNotSuspended(facts);
  if (pass && isProved(pass) && pass.expiresAt > chainTime && !isEnded(pass, config)) {
    throw new PlanError(
      'PASS_PROVED',
      `The wallet proved a pass that is live until ${pass.expiresAt}. Grant one after that.`,
    );
  }
}

/** Returns whether an address is a name of Solana's own, such as that of a sysvar. No key has one, and all end in this way. */
const isReserved = (address: Address) => /1{20}$/.test(address);

function checkEndOfGrant(facts: PowerFacts): void {
  checkGiven(facts, 'grant');
  if (!facts.pass?.granted) {
    throw new PlanError('PASS_NOT_GRANTED', 'The wallet has no granted pass of the rule set.');
  }
  checkNotSuspended(facts);
}

function checkNotSuspended({ pass, chainTime }: PowerFacts): void {
  if (!pass || !isSuspended(pass, chainTime)) return;
  throw new PlanError(
    'PASS_SUSPENDED',
    'You suspended the pass. Lift the suspension first: POST /api/suspensions with until 0.',
  );
}
