import type { Localnet } from '@service/localnet';
import { type Address, type Codec, fetchEncodedAccount } from '@solana/kit';

/** Changes fields of an account of the program, so that a test need not send every instruction that leads there. */
export async function changeAccount<Args, Data extends Args>(
  net: Localnet,
  address: Address,
  codec: Codec<Args, Data>,
  change: Partial<Args>,
): Promise<void> {
  const found = await fetchEncodedAccount(net.rpc as never, address, { commitment: 'processed' });
  if (!found.exists) throw new Error(`There is no account at ${address}.`);
  const { lamports, programAddress: owner, executable } = found;
  const data = new Uint8Array(codec.encode({ ...codec.decode(found.data), ...change }));
  net.addAccounts(new Map([[address, { lamports, owner, executable, data }]]));
}
