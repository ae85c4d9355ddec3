/** `TransferChecked` of a bound mint with the accounts of its hook, and the hook as anyone can call it. */
import { transferInstruction } from '@service/protocol';
import { getExecuteInstruction } from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { addMarket, holdersChain, issueTokens } from './bindings.ts';
import { addressOf, type Chain, PROGRAM } from './chain.ts';
import { at } from './governance.ts';
import { DECIMALS } from './mints.ts';
import { ruleAddress } from './rule-sets.ts';
import { BOTH, ONE, tokens } from './token-instructions.ts';

/** What is transferred, and by whom. */
export interface TransferChange {
  mint?: string;
  from?: string;
  to?: string;
  /** Who signs, if it is not the owner of the source. */
  authority?: string;
  source?: Address;
  destination?: Address;
  /** The owner of the destination, if it is none of the keys of the tests. */
  destinationOwner?: Address;
  /** Whether the binding asks for the source's pass. @default of the mint that asks for both */
  requireSource?: boolean;
  amount?: bigint;
}

/** TransferChecked of 10 tokens from the holder to the other holder, unless the arguments say otherwise. */
export async function transfer(change: TransferChange = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  return transferInstruction(
    PROGRAM,
    {
      kind: 'TRANSFER',
      wallet: await addressOf(change.authority ?? from),
      mint: await addressOf(mint),
      source: change.source ?? (await tokens(from, mint)),
      destination: change.destination ?? (await tokens(to, mint)),
      amount,
    },
    {
      rule: await ruleAddress(),
      requireSource: change.requireSource ?? mint === BOTH,
      decimals: DECIMALS,
      sourceOwner: await addressOf(from),
      destinationOwner: change.destinationOwner ?? (await addressOf(to)),
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

/** `execute` as anyone can call it. */
export async function execute(change: TransferChange = {}): Promise<Instruction> {
  const { mint = ONE, from = 'holder', to = 'other holder', amount = 10n } = change;
  const [rule, mintAddress] = [await ruleAddress(), await addressOf(mint)];
  return getExecuteInstruction({
    source: change.source ?? (await tokens(from, mint)),
    mint: mintAddress,
    destination: change.destination ?? (await tokens(to, mint)),
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

/** Puts the chain into the state in which Token-2022 calls the hook: the accounts of both holders are marked. */
export async function markTransfer(chain: Chain, mint: string = ONE): Promise<void> {
  for (const name of ['holder', 'other holder']) markTransferring(chain, await tokens(name, mint));
}
