/** The witness of the person, taken once from the address of the page. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { ServiceError } from '../errors.ts';
import type { WitnessStorage } from '../query/witness-store.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { useProvided } from './provider.ts';

/** Servers have no layout, and React 18 warns about its effects there. */
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** What {@link useWitness} returns. */
export interface TakenWitness {
  /** The witness of the wallet, or null. */
  readonly witness: Witness | null;
  /** Whether the page has a witness of another wallet than this one. It stays there until that wallet is passed. */
  readonly isOfOtherWallet: boolean;
  /** WITNESS_INVALID, if the person came back with a witness that cannot be used. */
  readonly error: ServiceError | null;
  /** Holds a witness from elsewhere, such as from `openWitness`. `PassGate` uses it, too. Throws WITNESS_INVALID. */
  readonly add: (witness: Witness) => void;
  /** Drops every witness of the wallet. Call it after the proof. */
  readonly forget: () => void;
}

/**
 * Takes the witness from the address of the page as soon as the component mounts, once, also under StrictMode, and returns
 * it if it is the wallet's. Use it on the page that the person returns to, also while no wallet is chosen. It is in memory
 * only, unless a storage is passed, and is lost with the {@link ServiceProvider} around it. Servers render without one.
 *
 * Anyone can make a link with a witness of the wallet, so a new one does not replace another one. When `useProofCheck` or
 * `useProve` finds that it does not fit the credential on chain, the hook returns the other one again.
 *
 * @param options.storage called in the browser only, such as `() => sessionStorage`; the witness then survives a reload
 * @example
 * const { witness, forget } = useWitness(wallet, { storage: () => sessionStorage });
 */
export function useWitness(
  wallet: Address | Pick<Wallet, 'address'> | null | undefined,
  options: { readonly storage?: (() => WitnessStorage) | undefined } = {},
): TakenWitness {
  const { witnesses } = useProvided();
  const address = typeof wallet === 'string' ? wallet : wallet?.address;
  const held = useSyncExternalStore(witnesses.subscribe, witnesses.getSnapshot, witnesses.getServerSnapshot);
  const storage = useRef(options.storage);
  useEarlyEffect(() => {
    storage.current = options.storage;
  });
  // Children run their effects first, so this is before the effects of a router around the page.
  useEarlyEffect(() => {
    witnesses.take();
    if (address && storage.current) witnesses.keep(address, openedLate(storage.current));
  }, [witnesses, address]);
  const forget = useCallback(
    () => witnesses.forget(address, storage.current && openedLate(storage.current)),
    [witnesses, address],
  );
  const witness = held.witnesses.find((each) => each.wallet === address) ?? null;
  const isOfOtherWallet = held.witnesses.length > 0 && address !== undefined && witness === null;
  return { witness, isOfOtherWallet, error: held.error, add: witnesses.add, forget };
}

/** Returns a storage that is opened at each use. Reading `sessionStorage` throws in a page that may not store data. */
function openedLate(open: () => WitnessStorage): WitnessStorage {
  return {
    getItem: (key) => open().getItem(key),
    setItem: (key, value) => open().setItem(key, value),
    removeItem: (key) => open().removeItem(key),
  };
}
