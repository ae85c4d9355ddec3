/** Takes the instructions of a function of `@service/sdk/chain`, so that a key file, or an address elsewhere, can sign them. */
import type { Wallet } from '@service/sdk';
import {
  type Address,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit';

/**
 * Returns the instructions that a call has its wallet sign. The wallet signs nothing, so the call sends nothing.
 *
 * @throws what the call throws before it asks the wallet
 */
export async function recorded(
  address: Address,
  call: (wallet: Wallet) => Promise<unknown>,
): Promise<readonly Instruction[]> {
  let asked: Uint8Array | undefined;
  const wallet: Wallet = {
    address,
    async signTransaction(wire) {
      asked = wire;
      throw new Error('the command only takes the instructions');
    },
  };
  try {
    await call(wallet);
  } catch (error) {
    if (!asked) throw error;
  }
  if (!asked) throw new Error('The call ended without a transaction.');
  const { messageBytes } = getTransactionDecoder().decode(asked);
  return decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
    .instructions;
}
