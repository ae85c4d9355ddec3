import { budgetInstructions, type ComputeBudget } from '@service/protocol';
import type { PlainWallet } from '@service/sdk';
import { withAdditions } from '@service/test-support';
import type { Instruction, KeyPairSigner } from '@solana/kit';
import { countingWallet } from './counting-wallet.ts';

/** Creates a wallet that adds a priority fee, and guards at the end, before it signs. It keeps what it signed. */
export function payingWallet(
  signer: KeyPairSigner,
  budget: Required<ComputeBudget>,
  guards: readonly Instruction[] = [],
) {
  const signed: Uint8Array[] = [];
  const honest = countingWallet(signer);
  const wallet: PlainWallet = {
    ...honest,
    async signTransaction(wire) {
      const prepared = Buffer.from(wire).toString('base64');
      const changed = withAdditions(prepared, { before: budgetInstructions(budget), after: guards });
      const answer = await honest.signTransaction(new Uint8Array(Buffer.from(changed, 'base64')));
      signed.push(answer);
      return answer;
    },
  };
  return { wallet, signed };
}
