/** Holds the witness from the moment when the person returns until the proof. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import { parseWitness, takeWitnessFromLocation } from '../eligibility/witness.ts';
import { isServiceError, type ServiceError } from '../errors.ts';
import { notify } from '../lib/notify.ts';

/** Where a page may keep the witness, such as `sessionStorage`. Not in SPEC.md: where a page keeps the witness. */
export type WitnessStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a {@link WitnessStore} holds. It is frozen. Not in SPEC.md: where a page keeps the witness. */
export interface HeldWitness {
  /** The witness, of any wallet; null if there is none. */
  readonly witness: Witness | null;
  /** WITNESS_INVALID, if the address of the page had a witness that cannot be used. */
  readonly error: ServiceError | null;
}

/** Takes and holds one witness. Not in SPEC.md: where a page keeps the witness. */
export interface WitnessStore {
  /** Takes the witness from the address of the page, if one is there. Later calls change nothing until there is another one. */
  take(): void;
  /** Returns the witness if it is the wallet's. */
  of(wallet: Address | null | undefined): Witness | null;
  /** Stores the wallet's witness. If none is held, reads it from the storage, and holds it. Drops what cannot be used. */
  keep(wallet: Address, storage: WitnessStorage): void;
  /** Drops the witness, also from the storage. Call it after the proof, and when it throws WITNESS_INVALID. */
  forget(wallet: Address | null | undefined, storage?: WitnessStorage): void;
  /** Calls a listener after each change, and returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns what is held; the same object until something changes. */
  readonly getSnapshot: () => HeldWitness;
  /** Returns what servers render and pages hydrate: nothing. */
  readonly getServerSnapshot: () => HeldWitness;
}

const NOTHING: HeldWitness = Object.freeze({ witness: null, error: null });
const keyOf = (wallet: Address) => `service:witness:${wallet}`;

/**
 * Creates a store that takes the witness from the address of the page exactly once, even if `take` is called twice, as under
 * StrictMode. It holds the witness in memory only, unless a storage is passed. Not in SPEC.md: where a page keeps the
 * witness.
 *
 * @example
 * const witnesses = createWitnessStore();
 * witnesses.take(); // when the page loads, before a router reads the address
 * const witness = witnesses.of(wallet.address);
 */
export function createWitnessStore(): WitnessStore {
  let held = NOTHING;
  const listeners = new Set<() => void>();
  const change = (next: HeldWitness) => {
    held = Object.freeze(next);
    for (const listener of [...listeners]) notify(listener);
  };
  return {
    take() {
      try {
        const witness = takeWitnessFromLocation();
        if (witness) change({ witness, error: null });
      } catch (error) {
        if (!isServiceError(error, 'WITNESS_INVALID')) throw error;
        // A broken link does not replace a witness that can be used.
        change({ witness: held.witness, error });
      }
    },
    of: (wallet) => (wallet && held.witness?.wallet === wallet ? held.witness : null),
    keep(wallet, storage) {
      if (held.witness?.wallet === wallet) {
        storage.setItem(keyOf(wallet), JSON.stringify(held.witness));
        return;
      }
      const kept = storage.getItem(keyOf(wallet));
      if (kept === null) return;
      try {
        const witness = parseWitness(kept);
        if (witness.wallet === wallet) {
          change({ witness, error: held.error });
          return;
        }
      } catch (error) {
        if (!isServiceError(error, 'WITNESS_INVALID')) throw error;
      }
      storage.removeItem(keyOf(wallet));
    },
    forget(wallet, storage) {
      if (wallet) storage?.removeItem(keyOf(wallet));
      if (held !== NOTHING && (!wallet || held.witness === null || held.witness.wallet === wallet)) {
        change(NOTHING);
      }
    },
    subscribe(listener) {
      // One function may be subscribed twice, so each subscription is a function of its own.
      const subscription = () => listener();
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    getSnapshot: () => held,
    getServerSnapshot: () => NOTHING,
  };
}
