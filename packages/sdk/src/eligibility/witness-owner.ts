import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';

/** Checks that a witness belongs to a wallet that signed in. Throws ServiceError WALLET_MISMATCH. */
export function checkWitnessOf(wallet: Address, witness: Witness): void {
  if (witness.wallet === wallet) return;
  throw new ServiceError('WALLET_MISMATCH', {
    message: `The witness belongs to the wallet ${witness.wallet}, but ${wallet} signed in. Sign in with ${witness.wallet}, or use the witness of ${wallet}.`,
    context: { expected: wallet, received: witness.wallet },
  });
}
