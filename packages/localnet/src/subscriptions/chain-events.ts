import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { LandedTransaction } from '../chain/history.ts';
import type { ChainObserver } from '../chain/observer.ts';
import type { Commitment } from '../chain/slots.ts';
import { SLOT_SYSVARS } from '../chain/sysvars.ts';

/** What subscriptions can see of a change of the chain. */
export type ChainEvent =
  /** A slot opened. */
  | { what: 'slot'; slot: bigint; parent: bigint; root: bigint }
  /** A slot is finalized. */
  | { what: 'root'; slot: bigint }
  /** A transaction landed. Its processed state follows in another event. */
  | { what: 'received'; slot: bigint; landed: LandedTransaction }
  /** Transactions of a slot reached a commitment, and so did the accounts that they wrote. */
  | {
      what: 'reached';
      commitment: Commitment;
      slot: bigint;
      landed: readonly LandedTransaction[];
      written: ReadonlySet<Address>;
    };

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/** Turns the changes of a chain into events at each commitment. It stores what is not final yet. */
export class ChainEvents implements ChainObserver {
  readonly #chain: Chain;
  readonly #emit: (event: ChainEvent) => void;
  readonly #unfinished = new Map<bigint, { landed: LandedTransaction[]; written: Set<Address> }>();
  readonly #reached: Record<Commitment, bigint>;

  constructor(chain: Chain, emit: (event: ChainEvent) => void) {
    this.#chain = chain;
    this.#emit = emit;
    const { slots } = chain;
    this.#reached = {
      processed: slots.open,
      confirmed: slots.at('confirmed'),
      finalized: slots.at('finalized'),
    };
    chain.observe(this);
  }

  landed(landed: LandedTransaction, addresses: Iterable<Address>): void {
    const { slot } = landed;
    const written = new Set(addresses);
    const sameSlot = this.#unfinished.get(slot) ?? { landed: [], written: new Set() };
    sameSlot.landed.push(landed);
    for (const address of written) sameSlot.written.add(address);
    this.#unfinished.set(slot, sameSlot);
    this.#emit({ what: 'received', slot, landed });
    this.#emit({ what: 'reached', commitment: 'processed', slot, landed: [landed], written });
  }

  opened(): void {
    const { slots } = this.#chain;
    const [slot, root] = [slots.open, slots.at('finalized')];
    const isNewRoot = root > this.#reached.finalized;
    this.#emit({ what: 'slot', slot, parent: slot - 1n, root });
    for (const commitment of COMMITMENTS) this.#reach(commitment);
    if (!isNewRoot) return;
    this.#emit({ what: 'root', slot: root });
    this.#unfinished.delete(root);
  }

  endowed(address: Address): void {
    const written = new Set([address]);
    for (const commitment of COMMITMENTS) {
      const slot = this.#chain.slots.at(commitment);
      this.#emit({ what: 'reached', commitment, slot, landed: [], written });
    }
  }

  /** Emits the slot that is new at a commitment. There is at most one, because slots open one at a time. */
  #reach(commitment: Commitment): void {
    const { slots, history } = this.#chain;
    const slot = slots.at(commitment);
    if (slot <= this.#reached[commitment]) return;
    this.#reached[commitment] = slot;
    const { landed = [], written = [] } = this.#unfinished.get(slot) ?? {};
    this.#emit({
      what: 'reached',
      commitment,
      slot,
      // A node that lost its history reports no transaction of it.
      landed: landed.filter(({ signature }) => history.get(signature) !== null),
      written: new Set([...written, ...SLOT_SYSVARS]),
    });
  }
}
