/** Registers a wallet with the dApps of a page, as the Wallet Standard says. */
import type { SimulatedStandardWallet } from '../wallets/standard.ts';

interface Registry {
  register(wallet: SimulatedStandardWallet): () => void;
}

const REGISTER = 'wallet-standard:register-wallet';
const APP_READY = 'wallet-standard:app-ready';

/**
 * Registers a wallet with each registry that is in the page, and with each one that comes later. Returns a function that
 * removes it from all. `registerWallet` of @wallet-standard/wallet cannot remove a wallet.
 */
export function registerInPage(page: EventTarget, wallet: SimulatedStandardWallet): () => void {
  const removers: (() => void)[] = [];
  const register = (registry: Registry) => {
    removers.push(registry.register(wallet));
  };
  const onReady = (event: Event) => register((event as CustomEvent<Registry>).detail);
  page.addEventListener(APP_READY, onReady);
  page.dispatchEvent(new CustomEvent(REGISTER, { detail: register }));
  return () => {
    page.removeEventListener(APP_READY, onReady);
    for (const remove of removers.splice(0)) remove();
  };
}
