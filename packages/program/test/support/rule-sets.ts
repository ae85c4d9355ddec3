/** `create-rule-set` with valid arguments, and rule sets on a chain. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { type ClauseMasks, fieldToBytes } from '@service/protocol/eligibility';
import {
  getCreateRuleSetInstruction,
  getRuleSetDecoder,
  getWithdrawPassFundsInstruction,
} from '@service/protocol/generated';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { addressOf, type Chain, DAY, noop, SOL } from './chain.ts';
import { at, readyChain } from './governance.ts';

/** One clause: regions 0 to 2, statuses 0 and 1, from 18 years on. */
export const CLAUSES: readonly ClauseMasks[] = [{ regionMask: 0b111n, statusMask: 0b11, minAge: 18 }];

/** Longest life of a pass in the rule sets of the tests. */
export const MAX_PASS_AGE = 30n * DAY;

/** The tests' rule set: the issuer's first. */
export async function ruleAddress(): Promise<Address> {
  return at.ruleSet(await addressOf('issuer'), 1n);
}

/** What a rule set is created of. */
export interface RuleSetChange {
  creator?: string;
  nonce?: bigint;
  name?: string;
  maxPassAgeSeconds?: bigint;
  clauses?: readonly ClauseMasks[];
}

/** `create-rule-set` by the issuer, unless the arguments say otherwise. */
export async function createRuleSet(change: RuleSetChange = {}): Promise<Instruction> {
  const creator = await addressOf(change.creator ?? 'issuer');
  const nonce = change.nonce ?? 1n;
  return getCreateRuleSetInstruction({
    creator: createNoopSigner(creator),
    ruleSet: await at.ruleSet(creator, nonce),
    config: await at.config(),
    systemProgram: SYSTEM_PROGRAM,
    nonce,
    name: change.name ?? 'Example rule set',
    maxPassAgeSeconds: change.maxPassAgeSeconds ?? MAX_PASS_AGE,
    clauses: (change.clauses ?? CLAUSES).map((clause) => ({
      ...clause,
      regionMask: fieldToBytes(clause.regionMask),
    })),
  });
}

/** Creates a rule set and funds it with so many lamports above rent; its address. */
export async function addRuleSet(
  chain: Chain,
  { passFunds = 0n, ...change }: RuleSetChange & { passFunds?: bigint } = {},
): Promise<Address> {
  await chain.confirm(createRuleSet(change));
  const rule = await at.ruleSet(await addressOf(change.creator ?? 'issuer'), change.nonce ?? 1n);
  if (passFunds > 0n) chain.fund(rule, passFunds);
  return rule;
}

/** Returns a ready chain with the rule set of the tests. */
export async function ruleSetChain({ passFunds = 0n } = {}): Promise<Chain> {
  const chain = await readyChain();
  await addRuleSet(chain, { passFunds });
  return chain;
}

/** `withdraw-pass-funds`; one SOL of the issuer's first rule set to the unrelated wallet, unless the arguments say otherwise. */
export async function withdrawPassFunds(
  change: { creator?: string; rule?: Address; recipient?: Address; lamports?: bigint } = {},
): Promise<Instruction> {
  return getWithdrawPassFundsInstruction({
    creator: await noop(change.creator ?? 'issuer'),
    ruleSet: change.rule ?? (await ruleAddress()),
    recipient: change.recipient ?? (await addressOf('unrelated wallet')),
    lamports: change.lamports ?? SOL,
  });
}

/** A rule set as it is on chain. */
export function ruleSetOf(chain: Chain, rule: Address) {
  return getRuleSetDecoder().decode(chain.data(rule));
}

/** Lamports of a rule set above the rent of its size. */
export function passFundsOf(chain: Chain, rule: Address): bigint {
  return chain.lamports(rule) - chain.rentOf(chain.data(rule).length);
}
