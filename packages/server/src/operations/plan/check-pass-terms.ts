/** The terms of a pass: its fee, which the pass funds of the rule set pay, and its expiry. */
import {
  type AccountOf,
  decodeAccount,
  type Found,
  type GrantIntent,
  passFeeAt,
  passFundsOf,
  programAddresses,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { readWithRent } from '../../chain-index/free-lamports.ts';
import { invalidRequest, ServiceFault } from '../../http/failures/fault.ts';
import { CHAIN_TIME_SLACK_SECONDS, type PlanScope } from './plan-scope.ts';

/** What decides the pass fee besides the operation. */
export interface FeeFacts {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly ruleSet: AccountOf<'ruleSet'>;
}

/**
 * Checks that the pass funds of a rule set cover the pass fee of an operation, which `feeOf` returns in lamports, or null
 * while it is not set. Reads pass funds from the chain, not the index: anyone can add lamports to them without the program.
 *
 * @throws ServiceFault NOT_FOUND, PASS_FEE_UNSET, PASS_FEE_ABOVE_LIMIT or PASS_FEE_UNFUNDED
 */
export async function checkPassFunds(
  { service, signal }: PlanScope,
  rule: Address,
  feeOf: (facts: FeeFacts) => bigint | null,
): Promise<void> {
  const { program } = service.settings;
  const addresses = [await programAddresses(program).config(), rule];
  const { accounts, rent } = await readWithRent(service, addresses, signal, 'confirmed');
  const config = decodeAccount(program, 'config', accounts[0]!);
  const ruleSet = decodeAccount(program, 'ruleSet', accounts[1]!);
  if (!ruleSet) throw ruleNotFound(rule);
  const passFee = feeOf({ config, ruleSet: ruleSet.data });
  if (passFee === null) throw new ServiceFault('PASS_FEE_UNSET');
  if (passFee > ruleSet.data.maxPassFee) {
    throw new ServiceFault(
      'PASS_FEE_ABOVE_LIMIT',
      `The pass fee is ${passFee} lamports, but the rule set pays at most ${ruleSet.data.maxPassFee}. Its creator can agree to more.`,
    );
  }
  const passFunds = passFundsOf(ruleSet, rent(ruleSet.space));
  if (passFunds < passFee) {
    throw new ServiceFault(
      'PASS_FEE_UNFUNDED',
      `The pass funds are ${passFunds} lamports, but the pass fee is ${passFee}. Send lamports to the rule set ${rule}.`,
    );
  }
}

/** Returns the fault of a rule set that does not exist. */
export function ruleNotFound(rule: Address): ServiceFault {
  return new ServiceFault('NOT_FOUND', `There is no rule set at ${rule}. Check the address.`);
}

/** Checks when a pass is to expire, in Unix seconds. @throws ServiceFault INVALID_REQUEST */
export function checkExpiry(
  expiresAt: bigint,
  limits: { now: bigint; maxPassAgeSeconds: bigint; credentialExpiresAt?: bigint },
): void {
  const refuse = (rule: string) => {
    throw invalidRequest(`body.expiresAt must be ${rule}.`);
  };
  const { now, maxPassAgeSeconds, credentialExpiresAt } = limits;
  if (expiresAt <= now) refuse(`later than the chain time, ${now}`);
  const latest = now + maxPassAgeSeconds;
  if (expiresAt > latest + CHAIN_TIME_SLACK_SECONDS) {
    refuse(`at most maxPassAgeSeconds from the chain time: ${latest}`);
  }
  if (credentialExpiresAt !== undefined && expiresAt > credentialExpiresAt) {
    refuse(`no later than the credential’s expiry, ${credentialExpiresAt}`);
  }
}

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
