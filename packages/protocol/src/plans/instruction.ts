/** Builds the instruction of an operation from intent and facts. The same input gives the same bytes on both sides. */
import { powerBits } from '@service/contract/creator-powers';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { getTransferCheckedInstructionDataEncoder } from '@solana-program/token';
import { programAddresses, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../addresses.ts';
import { integerToBytes } from '../eligibility/field.ts';
import { getBindMintInstructionDataEncoder } from '../generated/instructions/bindMint';
import { getCreateRuleSetInstructionDataEncoder } from '../generated/instructions/createRuleSet';
import { getIssueTokensInstructionDataEncoder } from '../generated/instructions/issueTokens';
import { getProveInstructionDataEncoder } from '../generated/instructions/prove';
import {
  BIND_MINT_ACCOUNTS,
  CREATE_RULE_SET_ACCOUNTS,
  ISSUE_TOKENS_ACCOUNTS,
  PROVE_ACCOUNTS,
} from '../generated/operation-accounts';
import { type AccountRoles, accountMetas } from './account-roles.ts';
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
  const { powers, verifier = null } = intent;
  const terms = { powers: powerBits(powers), verifier };
  return {
    programAddress: program,
    accounts: accountMetas(CREATE_RULE_SET_ACCOUNTS, {
      creator: intent.wallet,
      ruleSet: await at.ruleSet(intent.wallet, intent.nonce),
      config: await at.config(),
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getCreateRuleSetInstructionDataEncoder().encode({
      nonce: intent.nonce,
      name: intent.name,
      maxPassAgeSeconds: intent.maxPassAgeSeconds,
      clauses: intent.clauses.map((clause) => ({ ...clause, regionMask: integerToBytes(clause.regionMask) })),
      // Without them, the bytes are those that an older service and SDK build.
      terms: terms.powers || verifier ? terms : null,
    }),
  };
}

/** Returns the instruction that binds a mint. */
export async function bindMintInstruction(program: Address, intent: BindMintIntent): Promise<Instruction> {
  const at = programAddresses(program);
  return {
    programAddress: program,
    accounts: accountMetas(BIND_MINT_ACCOUNTS, {
      issuer: intent.wallet,
      mint: intent.mint,
      ruleSet: intent.rule,
      mintBinding: await at.mintBinding(intent.mint),
      extraAccountMetaList: await at.extraAccountMetaList(intent.mint),
      config: await at.config(),
      tokenProgram: TOKEN_2022_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getBindMintInstructionDataEncoder().encode({
      requireSource: intent.requireSource,
      honoursGranted: intent.honoursGranted || null,
    }),
  };
}

/** Returns the instruction that proves a rule set. */
export async function proveInstruction(
  program: Address,
  intent: ProveIntent,
  facts: ProveFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  if (intent.proof.length !== 256) throw new RangeError('proof must be 256 bytes');
  return {
    programAddress: program,
    accounts: accountMetas(PROVE_ACCOUNTS, {
      ...facts,
      wallet: intent.wallet,
      config: await at.config(),
      ruleSet: intent.rule,
      credential: await at.credential(intent.wallet),
      pass: await at.pass(intent.rule, intent.wallet),
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getProveInstructionDataEncoder().encode(intent),
  };
}

/** Returns the instruction that issues tokens. */
export async function issueInstruction(
  program: Address,
  intent: IssueIntent,
  facts: IssueFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  return {
    programAddress: program,
    accounts: accountMetas(ISSUE_TOKENS_ACCOUNTS, {
      issuer: intent.wallet,
      config: await at.config(),
      mintBinding: await at.mintBinding(intent.mint),
      mint: intent.mint,
      destination: intent.destination,
      pass: await at.pass(facts.rule, facts.destinationOwner),
      credential: await at.credential(facts.destinationOwner),
      tokenProgram: TOKEN_2022_PROGRAM,
    }),
    data: getIssueTokensInstructionDataEncoder().encode(intent),
  };
}

/** The accounts of Token-2022's TransferChecked, without those of a transfer hook. */
export const TRANSFER_CHECKED_ACCOUNTS = {
  source: 1,
  mint: 0,
  destination: 1,
  authority: 2,
} as const satisfies AccountRoles;

/** Returns Token-2022's TransferChecked with the accounts that the transfer hook of a bound mint needs. */
export async function transferInstruction(
  program: Address,
  intent: TransferIntent,
  facts: TransferFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  const hookAccounts = [
    await at.config(),
    await at.pass(facts.rule, facts.destinationOwner),
    ...(facts.requireSource ? [await at.pass(facts.rule, facts.sourceOwner)] : []),
    program,
    await at.extraAccountMetaList(intent.mint),
  ].map((address): AccountMeta => ({ address, role: AccountRole.READONLY }));
  const { wallet: authority, source, mint, destination, amount } = intent;
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [
      ...accountMetas(TRANSFER_CHECKED_ACCOUNTS, { source, mint, destination, authority }),
      ...hookAccounts,
    ],
    data: getTransferCheckedInstructionDataEncoder().encode({ amount, decimals: facts.decimals }),
  };
}
