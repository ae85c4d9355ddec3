import type { Localnet } from '@service/localnet';
import type { Address } from '@solana/kit';

/** Sets the amount of a token account. An issue would need a pass of its owner, and a mint with a supply cannot be bound. */
export function giveTokens(net: Localnet, tokenAccount: Address, amount: bigint): void {
  const account = net.accounts().get(tokenAccount)!;
  const data = new Uint8Array(account.data);
  // The amount follows the mint and the owner.
  new DataView(data.buffer).setBigUint64(64, amount, true);
  net.addAccounts(new Map([[tokenAccount, { ...account, data }]]));
}
