import type * as demo from '../../wallet/additions.ts';

/** Without the demo: wallets of people add guards and a priority fee, of at most 10,000 lamports here. */
export const WALLET_ADDITIONS: typeof demo.WALLET_ADDITIONS = {
  guards: true,
  maxPriorityFeeLamports: 10_000n,
};
