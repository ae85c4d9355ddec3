/** What an issuer does with its binding and with the tokens of holders, valid unless a test changes an argument. */
import { RULE_CHANGE_DELAY_SECONDS, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  getAcceptIssuerInstruction,
  getAnnounceRuleInstruction,
  getApplyRuleInstruction,
  getNominateIssuerInstruction,
  getRecoverInstruction,
  getRedeemInstruction,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { getFreezeAccountInstruction, getThawAccountInstruction } from '@solana-program/token';
import { addressOf, type Chain, noop } from './chain.ts';
import { at, CONFIG, credentialAt, PASS_FEE } from './governance.ts';
import { addMarket, holdersChain, issueTokens } from './market.ts';
import { permanentDelegate, transferHook } from './mints.ts';
import { addRuleSet, passAt, RULE } from './rule-sets.ts';
import { ofToken2022, token2022, tokens } from './token-instructions.ts';

/** A mint whose permanent delegate is its binding. Its issuer can also freeze and pause. */
export const SECURITY = 'security';
/** The codes of the reasons of a removal. */
export const REASONS = [1, 2, 3, 4, 5, 6, 7] as const;
const NEXT_NONCE = 4n;
/** The rule set that the issuer announces. */
export const NEXT_RULE = await at.ruleSet(await addressOf('issuer'), NEXT_NONCE);

/** `recover` of 10 tokens of the holder to the other holder. */
export async function recover({
  issuer = 'issuer',
  mint = SECURITY as string,
  from = 'holder',
  to = 'other holder',
  source = undefined as Address | undefined,
  destination = undefined as Address | undefined,
  rule = RULE,
  amount = 10n,
  reason = 1,
} = {}) {
  const address = await addressOf(mint);
  return getRecoverInstruction({
    issuer: await noop(issuer),
    config: CONFIG,
    mintBinding: await at.mintBinding(address),
    mint: address,
    source: source ?? (await tokens(from, mint)),
    destination: destination ?? (await tokens(to, mint)),
    pass: await passAt(to, rule),
    credential: await credentialAt(to),
    tokenProgram: TOKEN_2022_PROGRAM,
    amount,
    reason,
  });
}

/** `redeem` of 10 tokens of the holder. */
export async function redeem({
  issuer = 'issuer',
  mint = SECURITY as string,
  from = 'holder',
  source = undefined as Address | undefined,
  amount = 10n,
  reason = 6,
} = {}) {
  const address = await addressOf(mint);
  return getRedeemInstruction({
    issuer: await noop(issuer),
    config: CONFIG,
    mintBinding: await at.mintBinding(address),
    mint: address,
    source: source ?? (await tokens(from, mint)),
    tokenProgram: TOKEN_2022_PROGRAM,
    amount,
    reason,
  });
}

/** `nominate-issuer` of the next issuer. */
export async function nominateIssuer({
  issuer = 'issuer',
  mint = SECURITY as string,
  nominee = 'next issuer' as string | null,
} = {}) {
  return getNominateIssuerInstruction({
    issuer: await noop(issuer),
    mintBinding: await at.mintBinding(await addressOf(mint)),
    nominee: nominee === null ? null : await addressOf(nominee),
  });
}

export async function acceptIssuer({ nominee = 'next issuer', mint = SECURITY as string } = {}) {
  const address = await addressOf(mint);
  return getAcceptIssuerInstruction({
    nominee: await noop(nominee),
    mintBinding: await at.mintBinding(address),
    extraAccountMetaList: await at.extraAccountMetaList(address),
  });
}

/** `announce-rule` of the next rule set. */
export async function announceRule({ issuer = 'issuer', mint = SECURITY as string, rule = NEXT_RULE } = {}) {
  return getAnnounceRuleInstruction({
    issuer: await noop(issuer),
    mintBinding: await at.mintBinding(await addressOf(mint)),
    ruleSet: rule,
  });
}

export async function applyRule({ mint = SECURITY as string } = {}) {
  const address = await addressOf(mint);
  return getApplyRuleInstruction({
    mintBinding: await at.mintBinding(address),
    extraAccountMetaList: await at.extraAccountMetaList(address),
  });
}

/** The instruction of Token-2022 that pauses or resumes a mint, signed by the issuer. */
export async function pauseMint({ mint = SECURITY as string, by = 'issuer', resume = false } = {}) {
  const [address, authority] = [await addressOf(mint), await addressOf(by)];
  return ofToken2022([44, resume ? 2 : 1], [address, authority], [authority]);
}

/** The instruction of Token-2022 that freezes the token account of a name, signed by the issuer. */
export async function freeze(name: string, { mint = SECURITY as string, by = 'issuer', thaw = false } = {}) {
  const make = thaw ? getThawAccountInstruction : getFreezeAccountInstruction;
  const account = await tokens(name, mint);
  return make({ account, mint: await addressOf(mint), owner: await noop(by) }, token2022);
}

/** The extensions of a security besides the hook and the permanent delegate, and the arguments of its binding. */
type SecurityChange = Parameters<typeof addMarket>[1];

/** Makes and binds a mint whose permanent delegate is its binding, and issues 1,000 tokens to the holder. */
export async function addSecurity(
  chain: Chain,
  { mint = SECURITY as string, extensions = [], ...binding }: SecurityChange = {},
): Promise<Address> {
  const delegate = permanentDelegate(await at.mintBinding(await addressOf(mint)));
  const all = [transferHook(), delegate, ...extensions];
  const address = await addMarket(chain, { mint, freezeAuthority: 'issuer', extensions: all, ...binding });
  await chain.confirm(issueTokens({ mint }));
  return address;
}

/** Creates the rule set that the issuer announces, with pass funds for some proofs. */
export async function addNextRule(chain: Chain): Promise<void> {
  await addRuleSet(chain, { nonce: NEXT_NONCE, passFunds: 4n * PASS_FEE });
}

/** Announces the next rule set for a mint at a time that makes it possible to apply it now. */
export async function announceInTime(chain: Chain, mint: string): Promise<void> {
  const now = chain.time;
  chain.setTime(now - RULE_CHANGE_DELAY_SECONDS);
  await chain.confirm(announceRule({ mint }));
  chain.setTime(now);
}

/** A chain with two holders, a security, and the issuer's next rule set. */
export async function securityChain(change: SecurityChange = {}): Promise<Chain> {
  const chain = await holdersChain();
  await addNextRule(chain);
  await addSecurity(chain, change);
  return chain;
}
