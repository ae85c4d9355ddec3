/** Turns an intent into an instruction, after every check that is possible before the wallet signs. */
import {
  type ChainReader,
  checkPower,
  checkRemoval,
  PlanError,
  type PostedIntent,
  type PostedProveIntent,
  planInstruction,
  programAddresses,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import { checkBinding } from './check-binding.ts';
import { checkGrantTerms } from './check-pass-terms.ts';
import { checkRuleSet } from './check-rule-set.ts';
import { planProof } from './plan-proof.ts';
import type { PlanScope } from './plan-scope.ts';

/** The on-chain part of an operation. */
export interface Plan {
  readonly instruction: Instruction;
  /** CREATE_RULE_SET: the address that the rule set will have. */
  readonly rule: Address | null;
}

/**
 * Checks an operation against the chain and builds its instruction.
 *
 * @throws ServiceFault with a resource code of SPEC.md section 7, and the errors of the RPC
 */
export async function plan(scope: PlanScope, intent: PostedIntent): Promise<Plan> {
  try {
    return await checkedPlan(scope, intent);
  } catch (error) {
    if (error instanceof PlanError) throw new ServiceFault(error.code, error.message);
    throw error;
  }
}

async function checkedPlan(scope: PlanScope, intent: PostedIntent): Promise<Plan> {
  if (intent.kind === 'PROVE') return { instruction: await planProof(scope, intent), rule: null };
  const reader = readerAt(scope.service, 'finalized', scope.signal);
  const rule = await check(scope, reader, intent);
  return { instruction: await planInstruction(reader, intent), rule };
}

/** Checks what the plan itself does not. Returns the address of a new rule set, or null. */
async function check(
  scope: PlanScope,
  reader: ChainReader,
  intent: Exclude<PostedIntent, PostedProveIntent>,
): Promise<Address | null> {
  switch (intent.kind) {
    case 'CREATE_RULE_SET': {
      const rule = await programAddresses(reader.program).ruleSet(intent.wallet, intent.nonce);
      await checkRuleSet(reader, intent, rule);
      return rule;
    }
    case 'BIND_MINT':
      await checkBinding(reader, intent);
      return null;
    case 'RECOVER':
    case 'REDEEM':
      await checkRemoval(reader, intent);
      return null;
    case 'SUSPEND':
      await checkPower(reader, intent, scope.tip.time);
      return null;
    case 'GRANT':
      await checkGrantTerms(scope, intent, await checkPower(reader, intent, scope.tip.time));
      return null;
    case 'ISSUE':
    case 'TRANSFER':
      return null;
  }
}
