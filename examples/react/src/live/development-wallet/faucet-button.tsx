import type * as demo from '../../development-wallet/faucet-button.tsx';

/** An operator's page has no faucet: people buy SOL. */
export const FaucetButton: typeof demo.FaucetButton = () => null as never;
