/** `bind-mint` and `issue-tokens` with valid arguments, and a market of two holders to transfer in. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  getBindMintInstruction,
  getIssueTokensInstruction,
  getMintBindingDecoder,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { getMintDecoder, getTokenDecoder } from '@solana-program/token';
import { addressOf, type Chain, DAY, noop } from './chain.ts';
import { at, CONFIG } from './governance.ts';
import { addMint, addTokenAccount } from './mints.ts';
import { eligibleChain, prove } from './passes.ts';
import { LATEST_EXPIRY } from './proofs.ts';
import { passAt, RULE } from './rule-sets.ts';
import { tokens } from './token-instructions.ts';

/** `bind-mint` of the tests' mint and rule set by the issuer. */
export async function bindMint({
  issuer = 'issuer',
  mint = 'mint',
  rule = RULE,
  requireSource = false,
} = {}) {
  const address = await addressOf(mint);
  return getBindMintInstruction({
    issuer: await noop(issuer),
    mint: address,
    ruleSet: rule,
    mintBinding: await at.mintBinding(address),
    extraAccountMetaList: await at.extraAccountMetaList(address),
    config: CONFIG,
    tokenProgram: TOKEN_2022_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
    requireSource,
  });
}

/** `issue-tokens` to the associated token account of the holder, unless another destination is given. */
export async function issueTokens({
  issuer = 'issuer',
  mint = 'mint',
  holder = 'holder',
  destination = undefined as Address | undefined,
  rule = RULE,
  amount = 1_000n,
} = {}) {
  const address = await addressOf(mint);
  return getIssueTokensInstruction({
    issuer: await noop(issuer),
    config: CONFIG,
    mintBinding: await at.mintBinding(address),
    mint: address,
    destination: destination ?? (await tokens(holder, mint)),
    pass: await passAt(holder, rule),
    tokenProgram: TOKEN_2022_PROGRAM,
    amount,
  });
}

/** Expiry of the holder's pass. The pass of the other holder expires a day later. */
export const HOLDER_EXPIRY = LATEST_EXPIRY - DAY;

/** Returns a chain with the rule set of the tests and two holders with passes. */
export async function holdersChain(): Promise<Chain> {
  const chain = await eligibleChain({ wallets: ['holder', 'other holder'] });
  await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY }));
  await chain.confirm(prove({ wallet: 'other holder' }));
  return chain;
}

/** Makes and binds a mint, with token accounts of both holders and of the outsider. Returns its address. */
export async function addMarket(
  chain: Chain,
  {
    mint: name = 'mint',
    freezeAuthority,
    ...binding
  }: Parameters<typeof bindMint>[0] & { freezeAuthority?: string } = {},
): Promise<Address> {
  const mint = await addMint(chain, { mint: name, freezeAuthority });
  await chain.confirm(bindMint({ mint: name, ...binding }));
  for (const owner of ['holder', 'other holder', 'outsider']) await addTokenAccount(chain, owner, mint);
  return mint;
}

export async function bindingOf(chain: Chain, mint: Address) {
  return getMintBindingDecoder().decode(chain.data(await at.mintBinding(mint)));
}

export function mintOf(chain: Chain, mint: Address) {
  return getMintDecoder().decode(chain.data(mint));
}

export function balanceOf(chain: Chain, account: Address): bigint {
  return getTokenDecoder().decode(chain.data(account)).amount;
}
