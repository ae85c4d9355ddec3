/** Transfers of bound tokens, and the hook as Token-2022 or anyone calls it. */
import { tokenAccountAddress, transferInstruction } from '@service/protocol';
import { getExecuteInstruction } from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { addMarket, holdersChain, issueTokens } from './_bindings.ts';
import { at } from './_governance.ts';
import { DECIMALS } from './_mints.ts';
import { expectDone } from './_outcome.ts';
import { ruleAddress } from './_rule-sets.ts';
import { addressOf, type Chain, PROGRAM } from './_setup.ts';

/** The mint that asks for the destination's pass, and the one that asks for the source's too. */
export const [ONE, BOTH] = ['mint', 'mint of both'] as const;

/** What is transferred. */
export interface Transfer {
  mint?: string;
  from?: string;
  to?: string;
  /** Who signs, if it is not the owner of the source. */
  authority?: string;
  source?: Address;
  destination?: Address;
  amount?: bigint;
}

/** A chain with both mints, of each of which the holder has 1,000 base units. */
export async function marketChain(): Promise<Chain> {
  const chain = await holdersChain();
  for (const mint of [ONE, BOTH]) {
    await addMarket(chain, { mint, requireSource: mint === BOTH });
    expectDone(await chain.send(await issueTokens({ mint })));
  }
  return chain;
}

/** The associated token account of the key of a name. */
export async function tokensOf(name: string, mint: string = ONE): Promise<Address> {
  return tokenAccountAddress({ mint: await addressOf(mint), owner: await addressOf(name) });
}

/** TransferChecked of 10 base units from the holder to the other holder, unless told otherwise. */
export async function transfer(change: Transfer = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  return transferInstruction(
    PROGRAM,
    {
      kind: 'TRANSFER',
      wallet: await addressOf(change.authority ?? from),
      mint: await addressOf(mint),
      source: change.source ?? (await tokensOf(from, mint)),
      destination: change.destination ?? (await tokensOf(to, mint)),
      amount,
    },
    {
      rule: await ruleAddress(),
      requireSource: mint === BOTH,
      decimals: DECIMALS,
      sourceOwner: await addressOf(from),
      destinationOwner: await addressOf(to),
    },
  );
}

/** `execute` as anyone can call it. */
export async function execute(change: Transfer = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  const [rule, mintAddress] = [await ruleAddress(), await addressOf(mint)];
  return getExecuteInstruction({
    source: change.source ?? (await tokensOf(from, mint)),
    mint: mintAddress,
    destination: change.destination ?? (await tokensOf(to, mint)),
    authority: await addressOf(from),
    extraAccountMetaList: await at.extraAccountMetaList(mintAddress),
    config: await at.config(),
    destinationPass: await at.pass(rule, await addressOf(to)),
    ...(mint === BOTH ? { sourcePass: await at.pass(rule, await addressOf(from)) } : {}),
    amount,
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
