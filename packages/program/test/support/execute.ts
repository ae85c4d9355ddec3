/** The transfer hook as anyone can call it, and the state in which Token-2022 calls it. */
import { getExecuteInstruction } from '@service/protocol/generated';
import type { Address, Instruction } from '@solana/kit';
import { addressOf, type Chain } from './chain.ts';
import { at } from './governance.ts';
import { ruleAddress } from './rule-sets.ts';
import { BOTH, ONE, type TransferChange, tokens } from './transfers.ts';

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
