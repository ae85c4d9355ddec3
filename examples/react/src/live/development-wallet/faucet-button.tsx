import type * as demo from '../../development-wallet/faucet-button.tsx';

/** Without the demo: people buy SOL. */
export const FaucetButton: typeof demo.FaucetButton = () => null as never;
