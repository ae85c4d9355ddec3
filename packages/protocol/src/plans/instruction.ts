/**
 * Builds the instruction of an operation from its intent and facts from the chain. Client and server each read the facts from
 * their own RPC. The same input gives the same bytes on both sides.
 */
import { powerBits } from '@service/contract/creator-powers';
import { removalCode } from '@service/contract/removal-reasons';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { getTransferCheckedInstructionDataEncoder } from '@solana-program/token';
import { programAddresses, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../addresses.ts';
import { integerToBytes } from '../eligibility/field.ts';
import { getBindMintInstructionDataEncoder } from '../generated/instructions/bindMint';
import { getCreateRuleSetInstructionDataEncoder } from '../generated/instructions/createRuleSet';
import { getEndGrantInstructionDataEncoder } from '../generated/instructions/endGrant';
import { getGrantPassInstructionDataEncoder } from '../generated/instructions/grantPass';
import { getIssueTokensInstructionDataEncoder } from '../generated/instructions/issueTokens';
import { getProveInstructionDataEncoder } from '../generated/instructions/prove';
import { getRecoverInstructionDataEncoder } from '../generated/instructions/recover';
import { getRedeemInstructionDataEncoder } from '../generated/instructions/redeem';
import { getSuspendPassInstructionDataEncoder } from '../generated/instructions/suspendPass';
import {
  BIND_MINT_ACCOUNTS,
  CREATE_RULE_SET_ACCOUNTS,
  END_GRANT_ACCOUNTS,
  GRANT_PASS_ACCOUNTS,
  ISSUE_TOKENS_ACCOUNTS,
  PROVE_ACCOUNTS,
  RECOVER_ACCOUNTS,
  REDEEM_ACCOUNTS,
  SUSPEND_PASS_ACCOUNTS,
} from '../generated/operation-accounts';
import { type AccountRoles, accountMetas } from './account-roles.ts';
import type {
  BindMintIntent,
  CreateRuleSetIntent,
  GrantIntent,
  IssueIntent,
  ProveIntent,
  RecoverIntent,
  RedeemIntent,
  SuspendIntent,
  TransferIntent,
} from './intent.ts';

/** Facts for PROVE: the Verifier account of the wallet's credential and the Circuit account of the proof. */
export interface ProveFacts {
  readonly verifier: Address;
  readonly circuit: Address;
}

/** Facts for ISSUE and RECOVER: the bound rule set and who owns the destination. */
export interface IssueFacts {
  readonly rule: Address;
  readonly destinationOwner: Address;
}

/** Facts for TRANSFER: the binding, the mint's decimals and who owns both token accounts. */
export interface TransferFacts {
  readonly rule: Address;
  readonly requireSource: boolean;
  /** Whether the transfer also reads the credential of each owner whose pass it reads. */
  readonly readsCredential: boolean;
  readonly decimals: number;
  readonly sourceOwner: Address;
  readonly destinationOwner: Address;
}

/** Returns the instruction that creates a rule set. */
export async function createRuleSetInstruction(
  program: Address,
  intent: CreateRuleSetIntent,
): Promise<Instruction> {
  const at = programAddresses(program);
  const { powers, verifier = null, walletsPerPerson } = intent;
  const terms = { powers: powerBits(powers), verifier, walletsPerPerson: walletsPerPerson || null };
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
      terms: terms.powers || verifier || terms.walletsPerPerson ? terms : null,
    }),
  };
}

/** Returns the instruction that binds a mint. */
export async function bindMintInstruction(program: Address, intent: BindMintIntent): Promise<Instruction> {
  const at = programAddresses(program);
  const { honoursGranted = false, readsCredential = false } = intent;
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
      // Without them, the bytes are those that an older service and SDK build.
      terms:
        honoursGranted || readsCredential
          ? { honoursGranted, readsCredential: readsCredential || null }
          : null,
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
    accounts: [
      ...accountMetas(PROVE_ACCOUNTS, {
        ...facts,
        wallet: intent.wallet,
        config: await at.config(),
        ruleSet: intent.rule,
        credential: await at.credential(intent.wallet),
        pass: await at.pass(intent.rule, intent.wallet),
        systemProgram: SYSTEM_PROGRAM,
      }),
      ...(await placeAccounts(program, intent)),
    ],
    data: getProveInstructionDataEncoder().encode({ ...intent, claim: intent.place ?? null }),
  };
}

/** Returns the accounts that only a proof with a place has. */
async function placeAccounts(
  program: Address,
  { rule, place, replaces }: ProveIntent,
): Promise<AccountMeta[]> {
  const at = programAddresses(program);
  const addresses = [
    ...(place ? [await at.place(rule, place.tag)] : []),
    ...(replaces ? [replaces, await at.pass(rule, replaces)] : []),
  ];
  return addresses.map((address) => ({ address, role: AccountRole.WRITABLE }));
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

/** Returns the instruction that takes tokens, and gives them to another token account. */
export async function recoverInstruction(
  program: Address,
  intent: RecoverIntent,
  facts: IssueFacts,
): Promise<Instruction> {
  const at = programAddresses(program);
  const { mint, source, destination, amount, reason } = intent;
  return {
    programAddress: program,
    accounts: accountMetas(RECOVER_ACCOUNTS, {
      issuer: intent.wallet,
      config: await at.config(),
      mintBinding: await at.mintBinding(mint),
      mint,
      source,
      destination,
      pass: await at.pass(facts.rule, facts.destinationOwner),
      credential: await at.credential(facts.destinationOwner),
      tokenProgram: TOKEN_2022_PROGRAM,
    }),
    data: getRecoverInstructionDataEncoder().encode({ amount, reason: removalCode(reason) }),
  };
}

/** Returns the instruction that takes tokens, and burns them. */
export async function redeemInstruction(program: Address, intent: RedeemIntent): Promise<Instruction> {
  const at = programAddresses(program);
  const { mint, source, amount, reason } = intent;
  return {
    programAddress: program,
    accounts: accountMetas(REDEEM_ACCOUNTS, {
      issuer: intent.wallet,
      config: await at.config(),
      mintBinding: await at.mintBinding(mint),
      mint,
      source,
      tokenProgram: TOKEN_2022_PROGRAM,
    }),
    data: getRedeemInstructionDataEncoder().encode({ amount, reason: removalCode(reason) }),
  };
}

/** Returns the instruction that suspends a wallet, or lifts its suspension if `until` is 0. */
export async function suspendInstruction(program: Address, intent: SuspendIntent): Promise<Instruction> {
  const { wallet: creator, rule: ruleSet, holder, until } = intent;
  return {
    programAddress: program,
    accounts: accountMetas(SUSPEND_PASS_ACCOUNTS, {
      creator,
      ruleSet,
      wallet: holder,
      pass: await programAddresses(program).pass(ruleSet, holder),
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getSuspendPassInstructionDataEncoder().encode({ until }),
  };
}

/** Returns the instruction that grants a pass, or ends the grant if `expiresAt` is 0. */
export async function grantInstruction(program: Address, intent: GrantIntent): Promise<Instruction> {
  const at = programAddresses(program);
  const { wallet: creator, rule: ruleSet, holder, expiresAt } = intent;
  const [config, pass] = [await at.config(), await at.pass(ruleSet, holder)];
  if (!expiresAt) {
    return {
      programAddress: program,
      accounts: accountMetas(END_GRANT_ACCOUNTS, { sender: creator, pass, ruleSet, creator, config }),
      data: getEndGrantInstructionDataEncoder().encode({}),
    };
  }
  return {
    programAddress: program,
    accounts: accountMetas(GRANT_PASS_ACCOUNTS, {
      creator,
      config,
      ruleSet,
      wallet: holder,
      pass,
      systemProgram: SYSTEM_PROGRAM,
    }),
    data: getGrantPassInstructionDataEncoder().encode({ expiresAt }),
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
  const { rule, requireSource, readsCredential, destinationOwner, sourceOwner } = facts;
  const owners = requireSource ? [destinationOwner, sourceOwner] : [destinationOwner];
  const hookAccounts = await Promise.all([
    at.config(),
    ...owners.flatMap((owner) => [at.pass(rule, owner), ...(readsCredential ? [at.credential(owner)] : [])]),
    program,
    at.extraAccountMetaList(intent.mint),
  ]);
  const { wallet: authority, source, mint, destination, amount } = intent;
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [
      ...accountMetas(TRANSFER_CHECKED_ACCOUNTS, { source, mint, destination, authority }),
      ...hookAccounts.map((address): AccountMeta => ({ address, role: AccountRole.READONLY })),
    ],
    data: getTransferCheckedInstructionDataEncoder().encode({ amount, decimals: facts.decimals }),
  };
}
