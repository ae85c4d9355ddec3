/** Reads the action of an operation from its instruction on chain: its kind and its accounts. */
import { type MessageInstruction, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  BIND_MINT_INSTRUCTION,
  CREATE_RULE_SET_INSTRUCTION,
  ISSUE_TOKENS_INSTRUCTION,
  PROVE_INSTRUCTION,
  parseBindMintInstruction,
  parseCreateRuleSetInstruction,
  parseIssueTokensInstruction,
  parseProveInstruction,
} from '@service/protocol/generated';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { parseTransferCheckedInstruction, TRANSFER_CHECKED_DISCRIMINATOR } from '@solana-program/token';
import type { CommonReceiptField, Receipt } from './receipt.ts';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The part of a receipt that says what was done. */
export type Action = DistributiveOmit<Receipt, CommonReceiptField>;

/** Returns the action in an instruction, or null if it is not an operation of `program`. A transfer is of Token-2022. */
export function readAction(program: Address, instruction: MessageInstruction): Action | null {
  try {
    return instruction.program === program
      ? actionOfProgram(instruction)
      : instruction.program === TOKEN_2022_PROGRAM
        ? transfer(instruction)
        : null;
  } catch {
    // Too few accounts or bytes.
    return null;
  }
}

function actionOfProgram(instruction: MessageInstruction): Action | null {
  const parsed = parsable(instruction);
  switch (instruction.data[0]) {
    case CREATE_RULE_SET_INSTRUCTION: {
      const { accounts } = parseCreateRuleSetInstruction(parsed);
      return { kind: 'CREATE_RULE_SET', rule: accounts.ruleSet.address };
    }
    case BIND_MINT_INSTRUCTION: {
      const { accounts, data } = parseBindMintInstruction(parsed);
      const [mint, rule] = [accounts.mint.address, accounts.ruleSet.address];
      return { kind: 'BIND_MINT', mint, rule, requireSource: data.requireSource };
    }
    case PROVE_INSTRUCTION: {
      const { accounts, data } = parseProveInstruction(parsed);
      const [rule, pass] = [accounts.ruleSet.address, accounts.pass.address];
      return { kind: 'PROVE', rule, pass, passExpiresAt: `${data.expiresAt}` };
    }
    case ISSUE_TOKENS_INSTRUCTION: {
      const { accounts, data } = parseIssueTokensInstruction(parsed);
      const [mint, destination] = [accounts.mint.address, accounts.destination.address];
      return { kind: 'ISSUE', mint, destination, amount: `${data.amount}` };
    }
    default:
      return null;
  }
}

function transfer(instruction: MessageInstruction): Action | null {
  if (instruction.data[0] !== TRANSFER_CHECKED_DISCRIMINATOR) return null;
  const { accounts, data } = parseTransferCheckedInstruction(parsable(instruction));
  return {
    kind: 'TRANSFER',
    mint: accounts.mint.address,
    source: accounts.source.address,
    destination: accounts.destination.address,
    amount: `${data.amount}`,
  };
}

/** Returns what the generated parsers take. They ignore the roles. */
function parsable({ program, accounts, data }: MessageInstruction) {
  const metas: readonly AccountMeta[] = accounts.map((address) => ({ address, role: AccountRole.READONLY }));
  return { programAddress: program, accounts: metas, data };
}
