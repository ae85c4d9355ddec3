/** `bind-mint`, `issue-tokens` and transfers, valid unless a test changes an argument, and a market of two holders. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, transferInstruction } from '@service/protocol';
import {
  getBindMintInstruction,
  getExecuteInstruction,
  getExtraAccountMetaListDecoder,
  getIssueTokensInstruction,
  getMintBindingDecoder,
} from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { getMintDecoder, getTokenDecoder } from '@solana-program/token';
import { addressOf, type Chain, DAY, noop, PROGRAM } from './chain.ts';
import { at, CONFIG, credentialAt } from './governance.ts';
import { addMint, addTokenAccount, DECIMALS } from './mints.ts';
import { eligibleChain, LATEST_EXPIRY, prove } from './passes.ts';
import { passAt, RULE } from './rule-sets.ts';
import { BOTH, ONE, READS_BOTH, READS_ONE, tokens } from './token-instructions.ts';

/** `bind-mint` of the tests' mint and rule set by the issuer. */
export async function bindMint({
  issuer = 'issuer',
  mint = 'mint',
  rule = RULE,
  requireSource = false,
  honoursGranted = null as boolean | null,
  readsCredential = null as boolean | null,
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
    terms:
      honoursGranted === null && readsCredential === null
        ? null
        : { honoursGranted: honoursGranted ?? false, readsCredential },
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
    credential: await credentialAt(holder),
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
    extensions,
    ...binding
  }: Parameters<typeof bindMint>[0] &
    Pick<NonNullable<Parameters<typeof addMint>[1]>, 'freezeAuthority' | 'extensions'> = {},
): Promise<Address> {
  const mint = await addMint(chain, { mint: name, freezeAuthority, extensions });
  await chain.confirm(bindMint({ mint: name, ...binding }));
  for (const owner of ['holder', 'other holder', 'outsider']) await addTokenAccount(chain, owner, mint);
  return mint;
}

export async function bindingOf(chain: Chain, mint: Address) {
  return getMintBindingDecoder().decode(chain.data(await at.mintBinding(mint)));
}

/** Returns what a transfer reads of a binding: the second entry of the extra account list. */
export function boundMintOf(chain: Chain, list: Address) {
  const { metas, ...entry } = getExtraAccountMetaListDecoder().decode(chain.data(list));
  return entry;
}

export function mintOf(chain: Chain, mint: Address) {
  return getMintDecoder().decode(chain.data(mint));
}

export function balanceOf(chain: Chain, account: Address): bigint {
  return getTokenDecoder().decode(chain.data(account)).amount;
}

const requiresSource = (mint: string) => mint === BOTH || mint === READS_BOTH;
const readsCredentials = (mint: string) => mint === READS_ONE || mint === READS_BOTH;

/** `TransferChecked` of 10 tokens from the holder to the other holder, signed by the owner unless there is a delegate. */
export async function transfer({
  mint = ONE as string,
  from = 'holder',
  to = 'other holder',
  authority = undefined as string | undefined,
  source = undefined as Address | undefined,
  destination = undefined as Address | undefined,
  destinationOwner = undefined as Address | undefined,
  rule = RULE,
  requireSource = undefined as boolean | undefined,
  readsCredential = undefined as boolean | undefined,
  amount = 10n,
} = {}): Promise<Instruction> {
  return transferInstruction(
    PROGRAM,
    {
      kind: 'TRANSFER',
      wallet: await addressOf(authority ?? from),
      mint: await addressOf(mint),
      source: source ?? (await tokens(from, mint)),
      destination: destination ?? (await tokens(to, mint)),
      amount,
    },
    {
      rule,
      requireSource: requireSource ?? requiresSource(mint),
      readsCredential: readsCredential ?? readsCredentials(mint),
      decimals: DECIMALS,
      sourceOwner: await addressOf(from),
      destinationOwner: destinationOwner ?? (await addressOf(to)),
    },
  );
}

/**
 * A chain with both kinds of mint, whose freeze authority is the issuer: the holder has 1,000 tokens of each, the other
 * holder and the outsider have empty token accounts.
 */
export async function marketChain(): Promise<Chain> {
  const chain = await holdersChain();
  for (const mint of [ONE, BOTH]) await addSoldMint(chain, mint);
  return chain;
}

/** The market, and both kinds of mint once more with bindings that read credentials. */
export async function readingChain(): Promise<Chain> {
  const chain = await marketChain();
  await addReadingMints(chain);
  return chain;
}

/** Adds the mints whose bindings read credentials. */
export async function addReadingMints(chain: Chain): Promise<void> {
  for (const mint of [READS_ONE, READS_BOTH]) await addSoldMint(chain, mint);
}

async function addSoldMint(chain: Chain, mint: string): Promise<void> {
  const terms = { requireSource: requiresSource(mint), readsCredential: readsCredentials(mint) || null };
  await addMarket(chain, { mint, ...terms, freezeAuthority: 'issuer' });
  await chain.confirm(issueTokens({ mint }));
}

/** `execute` without a transfer, as anyone can send it. */
export async function execute({ mint = ONE as string } = {}): Promise<Instruction> {
  const address = await addressOf(mint);
  return getExecuteInstruction({
    source: await tokens('holder', mint),
    mint: address,
    destination: await tokens('other holder', mint),
    authority: await addressOf('holder'),
    extraAccountMetaList: await at.extraAccountMetaList(address),
    config: CONFIG,
    destinationPass: await passAt('other holder'),
    ...(readsCredentials(mint) ? { destinationCredential: await credentialAt('other holder') } : {}),
    ...(requiresSource(mint) ? { sourcePass: await passAt('holder') } : {}),
    ...(mint === READS_BOTH ? { sourceCredential: await credentialAt('holder') } : {}),
    amount: 10n,
  });
}

/** Sets the mark that Token-2022 sets in a token account for the time of a transfer. */
export function markTransferring(on: Chain, account: Address): void {
  const data = on.data(account);
  const view = new DataView(data.buffer);
  for (let offset = 166; offset + 4 <= data.length; offset += 4 + view.getUint16(offset + 2, true)) {
    if (view.getUint16(offset, true) === 15) {
      on.patch(account, offset + 4, [1]);
      return;
    }
  }
  throw new Error('The token account has no mark of transfers.');
}

/** Puts the chain into the state in which Token-2022 calls the hook: the accounts of both holders are marked. */
export async function markTransfer(chain: Chain, mint: string = ONE): Promise<void> {
  for (const name of ['holder', 'other holder']) markTransferring(chain, await tokens(name, mint));
}
