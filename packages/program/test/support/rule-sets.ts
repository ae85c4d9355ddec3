/** `create-rule-set`, `withdraw-pass-funds`, `set-max-pass-fee` and `collect-fees`, valid unless a test changes an argument, and rule sets on a chain. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { type ClauseMasks, fieldToBytes } from '@service/protocol/eligibility';
import {
  getCollectFeesInstruction,
  getCreateRuleSetInstruction,
  getRuleSetDecoder,
  getSetMaxPassFeeInstruction,
  getWithdrawPassFundsInstruction,
  type RuleSetTermsArgs,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { addressOf, type Chain, DAY, noop, SOL, UNRELATED_WALLET } from './chain.ts';
import { at, CONFIG, PASS_FEE, readyChain, TREASURY } from './governance.ts';

/** One clause: regions 0 to 2, statuses 0 and 1, from 18 years on. */
export const CLAUSES: readonly ClauseMasks[] = [{ regionMask: 0b111n, statusMask: 0b11, minAge: 18 }];

/** Longest life of a pass in the rule sets of the tests. */
export const MAX_PASS_AGE = 30n * DAY;

/** What creators may do with passes, as the bits of `powers`. */
export const [MAY_SUSPEND, MAY_GRANT] = [1, 2] as const;

/** What the rule sets of the tests fix: their creator may do everything, and any verifier will do. */
export const TERMS: RuleSetTermsArgs = { powers: MAY_SUSPEND | MAY_GRANT, verifier: null };

/** The tests' rule set: the issuer's first. */
export const RULE = await at.ruleSet(await addressOf('issuer'), 1n);

export const passAt = async (name: string, rule = RULE) => at.pass(rule, await addressOf(name));

export async function createRuleSet({
  creator = 'issuer',
  nonce = 1n,
  name = 'Example rule set',
  maxPassAgeSeconds = MAX_PASS_AGE,
  clauses = CLAUSES,
  terms = TERMS as RuleSetTermsArgs | null,
} = {}) {
  return getCreateRuleSetInstruction({
    creator: await noop(creator),
    ruleSet: await at.ruleSet(await addressOf(creator), nonce),
    config: CONFIG,
    systemProgram: SYSTEM_PROGRAM,
    nonce,
    name,
    maxPassAgeSeconds,
    clauses: clauses.map((clause) => ({ ...clause, regionMask: fieldToBytes(clause.regionMask) })),
    terms,
  });
}

/** Creates a rule set and sends it `passFunds` lamports. Returns its address. */
export async function addRuleSet(
  chain: Chain,
  { passFunds = 0n, ...change }: Parameters<typeof createRuleSet>[0] & { passFunds?: bigint } = {},
): Promise<Address> {
  await chain.confirm(createRuleSet(change));
  const rule = await at.ruleSet(await addressOf(change.creator ?? 'issuer'), change.nonce ?? 1n);
  if (passFunds > 0n) chain.fund(rule, passFunds);
  return rule;
}

export async function ruleSetChain({ passFunds = 0n } = {}): Promise<Chain> {
  const chain = await readyChain();
  await addRuleSet(chain, { passFunds });
  return chain;
}

/** `withdraw-pass-funds` of one SOL to the unrelated wallet. */
export async function withdrawPassFunds({
  creator = 'issuer',
  rule = RULE,
  recipient = UNRELATED_WALLET,
  lamports = SOL,
} = {}) {
  return getWithdrawPassFundsInstruction({
    creator: await noop(creator),
    ruleSet: rule,
    recipient,
    lamports,
  });
}

/** `set-max-pass-fee` of the tests' rule set, by its creator. */
export async function setMaxPassFee({ creator = 'issuer', rule = RULE, lamports = 2n * PASS_FEE } = {}) {
  return getSetMaxPassFeeInstruction({ creator: await noop(creator), ruleSet: rule, lamports });
}

/** `collect-fees` of the tests' rule set. */
export async function collectFees({ rule = RULE } = {}) {
  return getCollectFeesInstruction({ ruleSet: rule, treasury: TREASURY });
}

/** Returns the lamports with which a rule set can pay fees. */
export function passFundsOf(chain: Chain, rule: Address): bigint {
  return chain.aboveRent(rule) - ruleSetOf(chain, rule).fees;
}

export function ruleSetOf(chain: Chain, rule: Address) {
  return getRuleSetDecoder().decode(chain.data(rule));
}
