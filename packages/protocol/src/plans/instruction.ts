/** Builds the instruction of an operation from intent and facts. The same input gives the same bytes on both sides. */
import { type AccountMeta, AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { programAddresses, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../addresses.ts';
import { integerToBytes } from '../eligibility/field.ts';
import { getBindMintInstruction } from '../generated/instructions/bindMint';
import { getCreateRuleSetInstruction } from '../generated/instructions/createRuleSet';
import { getIssueTokensInstruction } from '../generated/instructions/issueTokens';
import { getProveInstruction } from '../generated/instructions/prove';
import type { IssueFacts, ProveFacts, TransferFacts } from './facts.ts';
import type {
  BindMintIntent,
  CreateRuleSetIntent,
  IssueIntent,
  ProveIntent,
  TransferIntent,
} from './intent.ts';

/** Returns the instruction that creates a rule set. */
export async function createRuleSetInstruction(
  program: Address,
  intent: CreateRuleSetIntent,
): Promise<Instruction> {
  const at = programAddresses(program);
  return getCreateRuleSetInstruction(
    {
      creator: createNoopSigner(intent.wallet),
      ruleSet: await at.ruleSet(intent.wallet, intent.nonce),
      config: await at.config(),
      systemProgram: SYSTEM_PROGRAM,
      nonce: intent.nonce,
      name: intent.name,
      maxPassAgeSeconds: intent.maxPassAgeSeconds,
      clauses: intent.clauses.map((clause) => ({ ...clause, regionMask: integerToBytes(clause.regionMask) })),
    },
    { programAddress: program },
  );
}

/** Returns the instruction that binds a mint. */
export async function bindMintInstruction(program: Address, intent: BindMintIntent): Promise<Instruction> {
  const at = programAddresses(program);
  return getBindMintInstruction(
    {
      issuer: createNoopSigner(intent.wallet),
      mint: intent.mint,
      ruleSet: intent.rule,
      mintBinding: await at.mintBinding(intent.mint),
      extraAccountMetaList: await at.extraAccountMetaList(intent.mint),
      config: await at.config(),
      tokenProgram: TOKEN_2022_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
      requireSource: intent.requireSource,
    },
    { programAddress: program },
  );
}

/** Returns the instruction that proves a rule set. */
export async function proveInstruction(
  program: Address,
  intent: ProveIntent,
  facts: ProveFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  if (intent.proof.length !== 256) throw new RangeError('proof must be 256 bytes');
  return getProveInstruction(
    {
      wallet: createNoopSigner(intent.wallet),
      config: await at.config(),
      ruleSet: intent.rule,
      credential: await at.credential(intent.wallet),
      verifier: facts.verifier,
      circuit: facts.circuit,
      pass: await at.pass(intent.rule, intent.wallet),
      systemProgram: SYSTEM_PROGRAM,
      expiresAt: intent.expiresAt,
      asOf: intent.asOf,
      proof: intent.proof,
    },
    { programAddress: program },
  );
}

/** Returns the instruction that issues tokens. */
export async function issueInstruction(
  program: Address,
  intent: IssueIntent,
  facts: IssueFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  return getIssueTokensInstruction(
    {
      issuer: createNoopSigner(intent.wallet),
      config: await at.config(),
      mintBinding: await at.mintBinding(intent.mint),
      mint: intent.mint,
      destination: intent.destination,
      pass: await at.pass(facts.rule, facts.destinationOwner),
      credential: await at.credential(facts.destinationOwner),
      tokenProgram: TOKEN_2022_PROGRAM,
      amount: intent.amount,
    },
    { programAddress: program },
  );
}

/** Returns Token-2022's TransferChecked with the accounts that the transfer hook of a bound mint needs. */
export async function transferInstruction(
  program: Address,
  intent: TransferIntent,
  facts: TransferFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  const transfer = getTransferCheckedInstruction(
    {
      source: intent.source,
      mint: intent.mint,
      destination: intent.destination,
      authority: createNoopSigner(intent.wallet),
      amount: intent.amount,
      decimals: facts.decimals,
    },
    { programAddress: TOKEN_2022_PROGRAM },
  );
  const hookAccounts = [
    await at.config(),
    await at.pass(facts.rule, facts.destinationOwner),
    ...(facts.requireSource ? [await at.pass(facts.rule, facts.sourceOwner)] : []),
    program,
    await at.extraAccountMetaList(intent.mint),
  ].map((address): AccountMeta => ({ address, role: AccountRole.READONLY }));
  return { ...transfer, accounts: [...transfer.accounts, ...hookAccounts] };
}
