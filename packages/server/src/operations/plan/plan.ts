/** Turns an intent into an instruction, after every check that is possible before the wallet signs. */
import {
  type ChainReader,
  type Intent,
  PlanError,
  type PostedIntent,
  planInstruction,
  programAddresses,
} from '@service/protocol';
import type { Address, Instruction } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import { checkBinding } from './check-binding.ts';
import { checkRuleSet } from './check-rule-set.ts';
import { type PlanScope, planProof } from './plan-proof.ts';

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
  const reader = readerAt(scope.service, 'finalized', scope.signal);
  switch (intent.kind) {
    case 'CREATE_RULE_SET': {
      const rule = await programAddresses(reader.program).ruleSet(intent.wallet, intent.nonce);
      await checkRuleSet(reader, intent, rule);
      return { instruction: await instructionOf(reader, intent), rule };
    }
    case 'BIND_MINT':
      await checkBinding(reader, intent);
      return { instruction: await instructionOf(reader, intent), rule: null };
    case 'PROVE':
      return { instruction: await planProof(scope, intent), rule: null };
    default:
      return { instruction: await instructionOf(reader, intent), rule: null };
  }
}

async function instructionOf(reader: ChainReader, intent: Intent): Promise<Instruction> {
  try {
    return await planInstruction(reader, intent);
  } catch (error) {
    if (error instanceof PlanError) throw new ServiceFault(error.code, error.message);
    throw error;
  }
}
