import type * as demo from '../../wallet/additions.ts';

/** An operator's page accepts the guards and the priority fee that wallets add, up to 10,000 lamports. */
export const WALLET_ADDITIONS: typeof demo.WALLET_ADDITIONS = {
  guards: true,
  maxPriorityFeeLamports: 10_000n,
};
