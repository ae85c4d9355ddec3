/** An operator's page has no development wallet: people bring their own wallets. */
import type * as demo from '../../development-wallet/development-wallet.ts';

export const startDevelopmentWallet: typeof demo.startDevelopmentWallet = async () => undefined;
export const nameOf: typeof demo.nameOf = () => undefined;
