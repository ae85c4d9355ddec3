import { budgetInstructions, type ComputeBudget, splitWireTransaction } from '@service/protocol';
import type { PlainWallet } from '@service/sdk';
import {
  compileTransaction,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
} from '@solana/kit';
import { countingWallet } from './counting-wallet.ts';

/** Creates a wallet that adds a priority fee before it signs, and keeps what it signed. */
export function payingWallet(signer: KeyPairSigner, budget: Required<ComputeBudget>) {
  const signed: Uint8Array[] = [];
  const honest = countingWallet(signer);
  const wallet: PlainWallet = {
    ...honest,
    async signTransaction(wire) {
      const compiled = getCompiledTransactionMessageDecoder().decode(splitWireTransaction(wire)!.message);
      const message = decompileTransactionMessage(compiled as never);
      const instructions = [...budgetInstructions(budget), ...message.instructions];
      const changed = compileTransaction({ ...message, instructions } as never);
      const answer = await honest.signTransaction(new Uint8Array(getTransactionEncoder().encode(changed)));
      signed.push(answer);
      return answer;
    },
  };
  return { wallet, signed };
}
