/** `bind-mint` and `issue-tokens` with valid arguments, and a market of two holders to transfer in. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, tokenAccountAddress } from '@service/protocol';
import {
  getBindMintInstruction,
  getIssueTokensInstruction,
  getMintBindingDecoder,
} from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { getMintDecoder, getTokenDecoder } from '@solana-program/token';
import { addressOf, type Chain, DAY, noop } from './chain.ts';
import { at } from './governance.ts';
import { addMint, addTokenAccount } from './mints.ts';
import { addPass, eligibleChain } from './passes.ts';
import { LATEST_EXPIRY } from './proofs.ts';
import { ruleAddress } from './rule-sets.ts';

/** What a mint is bound with. */
export interface BindChange {
  issuer?: string;
  mint?: string;
  rule?: Address;
  requireSource?: boolean;
}

/** `bind-mint` of the tests' mint and rule set by the issuer, unless the arguments say otherwise. */
export async function bindMint(change: BindChange = {}): Promise<Instruction> {
  const mint = await addressOf(change.mint ?? 'mint');
  return getBindMintInstruction({
    issuer: await noop(change.issuer ?? 'issuer'),
    mint,
    ruleSet: change.rule ?? (await ruleAddress()),
    mintBinding: await at.mintBinding(mint),
    extraAccountMetaList: await at.extraAccountMetaList(mint),
    config: await at.config(),
    tokenProgram: TOKEN_2022_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
    requireSource: change.requireSource ?? false,
  });
}

/** What tokens are issued with. */
export interface IssueChange {
  issuer?: string;
  mint?: string;
  /** Whose associated token account it is, and whose pass is shown. */
  holder?: string;
  destination?: Address;
  rule?: Address;
  amount?: bigint;
}

/** `issue-tokens` to the holder, unless the arguments say otherwise. */
export async function issueTokens(change: IssueChange = {}): Promise<Instruction> {
  const mint = await addressOf(change.mint ?? 'mint');
  const owner = await addressOf(change.holder ?? 'holder');
  return getIssueTokensInstruction({
    issuer: await noop(change.issuer ?? 'issuer'),
    config: await at.config(),
    mintBinding: await at.mintBinding(mint),
    mint,
    destination: change.destination ?? (await tokenAccountAddress({ mint, owner })),
    pass: await at.pass(change.rule ?? (await ruleAddress()), owner),
    tokenProgram: TOKEN_2022_PROGRAM,
    amount: change.amount ?? 1_000n,
  });
}

/** When the pass of the holder ends; that of the other holder ends a day later. */
export const HOLDER_EXPIRY = LATEST_EXPIRY - DAY;

/** Returns a chain with the rule set of the tests and two holders with passes. */
export async function holdersChain(): Promise<Chain> {
  const chain = await eligibleChain({ wallets: ['holder', 'other holder'] });
  await addPass(chain, { expiresAt: HOLDER_EXPIRY });
  await addPass(chain, { wallet: 'other holder' });
  return chain;
}

/** Makes and binds a mint, with token accounts of both holders and of the outsider; its address. */
export async function addMarket(
  chain: Chain,
  change: BindChange & { freezeAuthority?: string } = {},
): Promise<Address> {
  const { freezeAuthority, ...binding } = change;
  const made = { mint: change.mint ?? 'mint', ...(freezeAuthority ? { freezeAuthority } : {}) };
  const mint = await addMint(chain, made);
  await chain.confirm(bindMint(binding));
  for (const name of ['holder', 'other holder', 'outsider']) await addTokenAccount(chain, name, mint);
  return mint;
}

/** A binding as it is on chain. */
export async function bindingOf(chain: Chain, mint: Address) {
  return getMintBindingDecoder().decode(chain.data(await at.mintBinding(mint)));
}

/** The fixed part of a mint as it is on chain. */
export function mintOf(chain: Chain, mint: Address) {
  return getMintDecoder().decode(chain.data(mint));
}

/** Tokens in a token account. */
export function balanceOf(chain: Chain, account: Address): bigint {
  return getTokenDecoder().decode(chain.data(account)).amount;
}
