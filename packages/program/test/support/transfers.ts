/** `TransferChecked` of a bound mint with the accounts of its hook, and the hook as anyone can call it. */
import { transferInstruction } from '@service/protocol';
import { getExecuteInstruction } from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { addMarket, holdersChain, issueTokens } from './bindings.ts';
import { addressOf, type Chain, PROGRAM } from './chain.ts';
import { at, CONFIG } from './governance.ts';
import { DECIMALS } from './mints.ts';
import { passAt, RULE } from './rule-sets.ts';
import { BOTH, ONE, tokens } from './token-instructions.ts';

/** `TransferChecked` of 10 tokens from the holder to the other holder, signed by the owner unless there is a delegate. */
export async function transfer({
  mint = ONE as string,
  from = 'holder',
  to = 'other holder',
  authority = undefined as string | undefined,
  source = undefined as Address | undefined,
  destination = undefined as Address | undefined,
  destinationOwner = undefined as Address | undefined,
  requireSource = undefined as boolean | undefined,
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
      rule: RULE,
      requireSource: requireSource ?? mint === BOTH,
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
  for (const mint of [ONE, BOTH]) {
    await addMarket(chain, { mint, requireSource: mint === BOTH, freezeAuthority: 'issuer' });
    await chain.confirm(issueTokens({ mint }));
  }
  return chain;
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
    ...(mint === BOTH ? { sourcePass: await passAt('holder') } : {}),
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
