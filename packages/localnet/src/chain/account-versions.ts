import type { Address } from '@solana/kit';

/** The contents of an account at some slot. */
export interface AccountState {
  lamports: bigint;
  data: Uint8Array;
  owner: Address;
  executable: boolean;
}

/** Returns whether two states of an account are equal. */
export function isSameAccount(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}

/** The state of an account before and after a write. */
export interface AccountWrite {
  before: AccountState | null;
  after: AccountState | null;
}

interface Version {
  slot: bigint;
  state: AccountState | null;
}

/** The source of accounts that no transaction has written yet. */
export interface BaseAccounts {
  read(address: Address): AccountState | null;
  ownedBy(owner: Address): { address: Address; state: AccountState }[];
}

/**
 * The states of every account at each slot that is not final yet. So a read at `confirmed` or `finalized` returns the
 * state at that slot. Accounts that were never written are read from the base.
 */
export class AccountVersions {
  readonly #base: BaseAccounts;
  readonly #baseSlot: bigint;
  readonly #versions = new Map<Address, Version[]>();
  readonly #writtenIn = new Map<bigint, Set<Address>>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  readonly #baseByOwner = new Map<Address, Address[]>();
  readonly #unwritten = new Map<Address, AccountState | null>();

  constructor(base: BaseAccounts, baseSlot: bigint) {
    this.#base = base;
    this.#baseSlot = baseSlot;
  }

  /** Returns the account at the end of a slot, or now for the open slot. Returns null if it does not exist. */
  at(address: Address, slot: bigint): AccountState | null {
    const versions = this.#versions.get(address);
    if (!versions) return this.#readUnwritten(address);
    for (let index = versions.length - 1; index >= 0; index--) {
      const version = versions[index]!;
      if (version.slot <= slot) return version.state;
    }
    return null;
  }

  /**
   * Records a write in the open slot. `before` and `after` are null if the account did not exist or was closed. The base
   * has already changed, so the caller must pass `before`.
   */
  write(address: Address, slot: bigint, { before, after }: AccountWrite): void {
    const versions = this.#versions.get(address) ?? this.#start(address, before);
    const last = versions.at(-1)!;
    if (last.slot === slot) last.state = after;
    else versions.push({ slot, state: after });
    if (after) this.#index(after.owner, address);
    const written = this.#writtenIn.get(slot);
    if (written) written.add(address);
    else this.#writtenIn.set(slot, new Set([address]));
  }

  /** Changes the account at every slot, as if it had always been so. Call it before the base changes. */
  rewrite(address: Address, change: (state: AccountState | null) => AccountState): void {
    for (const version of this.#versions.get(address) ?? this.#start(address, this.#readUnwritten(address))) {
      version.state = change(version.state);
      this.#index(version.state.owner, address);
    }
  }

  /** Returns every account that a program owned at a slot. */
  ownedBy(owner: Address, slot: bigint): { address: Address; state: AccountState }[] {
    const found: { address: Address; state: AccountState }[] = [];
    const add = (address: Address) => {
      const state = this.at(address, slot);
      if (state && state.owner === owner) found.push({ address, state });
    };
    for (const address of this.#byOwner.get(owner) ?? []) add(address);
    for (const address of this.#baseOwnedBy(owner)) if (!this.#versions.has(address)) add(address);
    return found;
  }

  /** Returns the newest state of every account that exists and was ever written. */
  written(): ReadonlyMap<Address, AccountState> {
    const newest = [...this.#versions].map(
      ([address, versions]) => [address, versions.at(-1)!.state] as const,
    );
    return new Map(newest.filter((each): each is readonly [Address, AccountState] => each[1] !== null));
  }

  /** Drops the older states of the accounts that were written in a slot. No read needs them any more. */
  finalize(slot: bigint): void {
    for (const address of this.#writtenIn.get(slot) ?? []) {
      const versions = this.#versions.get(address);
      if (!versions) continue;
      const index = versions.findIndex((version) => version.slot === slot);
      const dropped = index > 0 ? versions.splice(0, index) : [];
      if (versions.length === 1 && versions[0]!.state === null) this.#versions.delete(address);
      for (const { state } of dropped) {
        if (state && !versions.some((version) => version.state?.owner === state.owner)) {
          this.#byOwner.get(state.owner)?.delete(address);
        }
      }
    }
    this.#writtenIn.delete(slot);
  }

  #start(address: Address, state: AccountState | null): Version[] {
    const versions = [{ slot: this.#baseSlot, state }];
    this.#unwritten.delete(address);
    this.#versions.set(address, versions);
    if (state) this.#index(state.owner, address);
    return versions;
  }

  #readUnwritten(address: Address): AccountState | null {
    let state = this.#unwritten.get(address);
    if (state === undefined) {
      state = this.#base.read(address);
      // Keep only accounts that exist: clients can ask for any number of missing ones.
      if (state) this.#unwritten.set(address, state);
    }
    return state;
  }

  #index(owner: Address, address: Address): void {
    const owned = this.#byOwner.get(owner);
    if (owned) owned.add(address);
    else this.#byOwner.set(owner, new Set([address]));
  }

  #baseOwnedBy(owner: Address): Address[] {
    let addresses = this.#baseByOwner.get(owner);
    if (!addresses) {
      addresses = [];
      for (const { address, state } of this.#base.ownedBy(owner)) {
        if (this.#versions.has(address)) continue;
        this.#unwritten.set(address, state);
        addresses.push(address);
      }
      this.#baseByOwner.set(owner, addresses);
    }
    return addresses;
  }
}
