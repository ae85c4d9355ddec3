/** Holds the witness from the moment when the person returns until the proof. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import { parseWitness, takeWitnessFromLocation } from '../eligibility/witness.ts';
import { isServiceError, type ServiceError } from '../errors.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { notify } from '../lib/notify.ts';
import { contentOf, forgetWitnessNumber } from './witness-number.ts';

/** Where a page may keep the witness, such as `sessionStorage`. */
export type WitnessStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What a {@link WitnessStore} holds. It is frozen. */
export interface HeldWitness {
  /** The witnesses, of any wallet: the newest first, and those that were rejected last. */
  readonly witnesses: readonly Witness[];
  /** WITNESS_INVALID, if the address of the page had a witness that cannot be used. */
  readonly error: ServiceError | null;
}

/**
 * Takes and holds the witness of a person. Anyone can make a link with a witness of a wallet. So a new one does not replace
 * another one: the store holds both until `forget`.
 */
export interface WitnessStore {
  /** Takes the witness from the address of the page, if one is there. Later calls change nothing until there is another one. */
  take(): void;
  /** Holds a witness that the page has from elsewhere, such as from `openWitness`. It replaces no other. Throws WITNESS_INVALID. */
  add(witness: Witness): void;
  /** Returns the witness of the wallet: the newest that was not rejected. If all were, returns the newest. */
  of(wallet: Address | null | undefined): Witness | null;
  /**
   * Reads the wallet's witnesses from the storage, and stores them with those that are held. Drops what cannot be used. If
   * the storage is full or blocked, so that it throws, the witnesses are held in memory only.
   */
  keep(wallet: Address, storage: WitnessStorage): void;
  /**
   * Prefers the wallet's other witnesses to this one. Call it when a check or a proof reports WITNESS_INVALID: the witness
   * does not fit the credential on chain. It stays, because its credential can still be on the way.
   */
  reject(witness: Witness): void;
  /**
   * Drops the wallet's witnesses, also from the storage. Without a wallet, drops all. Call it after the proof.
   *
   * @throws ServiceError INVALID_ARGUMENT if the storage throws, after the witnesses in memory are dropped
   */
  forget(wallet: Address | null | undefined, storage?: WitnessStorage): void;
  /** Calls a listener after each change, and returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns what is held; the same object until something changes. */
  readonly getSnapshot: () => HeldWitness;
  /** Returns what servers render and pages hydrate: nothing. */
  readonly getServerSnapshot: () => HeldWitness;
}

const NOTHING: HeldWitness = Object.freeze({ witnesses: Object.freeze([]), error: null });
const keyOf = (wallet: Address) => `service:witness:${wallet}`;

/** Returns the usable witnesses of a wallet in its storage. Anything else of this origin can have written there. */
function readStored(wallet: Address, storage: WitnessStorage): readonly Witness[] {
  const usable = (entry: unknown): readonly Witness[] => {
    try {
      const witness = parseWitness(entry);
      return witness.wallet === wallet ? [witness] : [];
    } catch (error) {
      if (isServiceError(error, 'WITNESS_INVALID')) return [];
      throw error;
    }
  };
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(keyOf(wallet)) ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(stored) ? stored.flatMap(usable) : [];
}

/** Returns two lists as one, without what is in both. */
function joined(newer: readonly Witness[], older: readonly Witness[]): readonly Witness[] {
  const known = new Set(newer.map(contentOf));
  return [...newer, ...older.filter((each) => !known.has(contentOf(each)))];
}

/**
 * Creates a store that takes the witness from the address of the page exactly once, even if `take` is called twice, as under
 * StrictMode. It holds witnesses in memory only, unless a storage is passed.
 *
 * @example
 * const witnesses = createWitnessStore();
 * witnesses.take(); // when the page loads, before a router reads the address
 * const witness = witnesses.of(wallet.address);
 */
export function createWitnessStore(): WitnessStore {
  let held = NOTHING;
  /** The newest first. */
  let all: readonly Witness[] = [];
  const rejected = new WeakSet<Witness>();
  const listeners = new Set<() => void>();
  const change = (error = held.error) => {
    const byRejection = [...all].sort((a, b) => Number(rejected.has(a)) - Number(rejected.has(b)));
    held = Object.freeze({ witnesses: Object.freeze(byRejection), error });
    for (const listener of [...listeners]) notify(listener);
  };
  return {
    take() {
      try {
        const witness = takeWitnessFromLocation();
        if (!witness) return;
        all = joined([witness], all);
        change(null);
      } catch (error) {
        if (!isServiceError(error, 'WITNESS_INVALID')) throw error;
        // A broken link does not replace a witness that can be used.
        change(error);
      }
    },
    add(witness) {
      all = joined([parseWitness(witness)], all);
      change(null);
    },
    of: (wallet) => held.witnesses.find((each) => each.wallet === wallet) ?? null,
    keep(wallet, storage) {
      const before = all.length;
      all = joined(all, readStored(wallet, storage));
      const own = all.filter((each) => each.wallet === wallet);
      try {
        if (own.length > 0) storage.setItem(keyOf(wallet), JSON.stringify(own));
        else storage.removeItem(keyOf(wallet));
      } catch {
        // The witnesses in memory last until the person leaves the page.
      }
      if (all.length > before) change();
    },
    reject(witness) {
      const own = all.find((each) => contentOf(each) === contentOf(witness));
      if (!own || rejected.has(own)) return;
      rejected.add(own);
      change();
    },
    forget(wallet, storage) {
      const isDropped = (each: Witness) => !wallet || each.wallet === wallet;
      for (const witness of all.filter(isDropped)) forgetWitnessNumber(witness);
      all = all.filter((each) => !isDropped(each));
      change(all.length > 0 ? held.error : null);
      try {
        if (wallet) storage?.removeItem(keyOf(wallet));
      } catch {
        throw invalidArgument(
          'storage',
          'The storage threw, so the witness may still be in it. Let the person clear the data of this site.',
        );
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
