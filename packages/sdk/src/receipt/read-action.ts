/** The action of an operation, read back from its instruction on chain: the kind and what it was done to. */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
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
import { type AccountMeta, AccountRole, type Address, type ReadonlyUint8Array } from '@solana/kit';
import { parseTransferCheckedInstruction, TRANSFER_CHECKED_DISCRIMINATOR } from '@solana-program/token';
import type { Receipt } from './receipt.ts';

type CommonField =
  | 'version'
  | 'program'
  | 'genesisHash'
  | 'operationId'
  | 'wallet'
  | 'signature'
  | 'slot'
  | 'memo'
  | 'messageDigest';
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The part of a receipt that says what was done. */
export type Action = DistributiveOmit<Receipt, CommonField>;

/** An instruction of a message, its accounts as addresses. */
export interface ReadInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: ReadonlyUint8Array;
}

/** The action in an instruction, or null when it is none of `program`'s five; a transfer is Token-2022's own. */
export function readAction(program: Address, instruction: ReadInstruction): Action | null {
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

function actionOfProgram(instruction: ReadInstruction): Action | null {
  const asked = parsable(instruction);
  switch (instruction.data[0]) {
    case CREATE_RULE_SET_INSTRUCTION: {
      const { accounts } = parseCreateRuleSetInstruction(asked);
      return { kind: 'CREATE_RULE_SET', rule: accounts.ruleSet.address };
    }
    case BIND_MINT_INSTRUCTION: {
      const { accounts, data } = parseBindMintInstruction(asked);
      const [mint, rule] = [accounts.mint.address, accounts.ruleSet.address];
      return { kind: 'BIND_MINT', mint, rule, requireSource: data.requireSource };
    }
    case PROVE_INSTRUCTION: {
      const { accounts, data } = parseProveInstruction(asked);
      const [rule, pass] = [accounts.ruleSet.address, accounts.pass.address];
      return { kind: 'PROVE', rule, pass, passExpiresAt: `${data.expiresAt}` };
    }
    case ISSUE_TOKENS_INSTRUCTION: {
      const { accounts, data } = parseIssueTokensInstruction(asked);
      const [mint, destination] = [accounts.mint.address, accounts.destination.address];
      return { kind: 'ISSUE', mint, destination, amount: `${data.amount}` };
    }
    default:
      return null;
  }
}

function transfer(instruction: ReadInstruction): Action | null {
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

/** As the generated parsers take it; roles do not matter to them. */
function parsable({ program, accounts, data }: ReadInstruction) {
  const metas: readonly AccountMeta[] = accounts.map((address) => ({ address, role: AccountRole.READONLY }));
  return { programAddress: program, accounts: metas, data };
}
