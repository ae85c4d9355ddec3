/** A store that a page can subscribe to: the session's wallet and the operations under way. */
import type { OperationKind, OperationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import { notify } from '../lib/notify.ts';
import type { Confirmed } from '../rpc/confirmed-options.ts';

/** An operation that this client prepared or follows, until its end is proven (SPEC.md section 3). */
export type OperationUnderWay = {
  /** UUID of the operation. */
  readonly operationId: string;
  /** The kind of the operation. */
  readonly kind: OperationKind;
  /** The wallet that signs it. */
  readonly wallet: Address;
  /**
   * The state that the service last named; `SIGNED` after the wallet signed and before the service answers. `FINALIZED`
   * and `FAILED` appear while only the service says so.
   */
  readonly state: OperationState | 'SIGNED';
  /** Unix seconds, by the service's clock, until which it accepts a draft. The clock of the device can differ. */
  readonly expiresAt: bigint;
  /**
   * Base58, once this client has the wallet's signature, before the bytes leave. Keep it with the id: after a reload,
   * `waitForOperation` then accepts no other transaction.
   */
  readonly signature?: Signature;
  /**
   * Set once your own RPC shows the transaction as confirmed, while a wait for the operation runs. It is progress, never a result:
   * the operation has ended only when it leaves the snapshot. The service cannot cause it.
   */
  readonly confirmed?: Confirmed;
};

/**
 * The state of a client at one moment. It is frozen, and the same object while nothing changes.
 */
export interface ClientSnapshot {
  /** The signed-in wallet, as far as this client knows. */
  readonly wallet: Address | null;
  /** The oldest first. */
  readonly operations: readonly OperationUnderWay[];
}

/** The state of one client, and its listeners. */
export interface SnapshotStore {
  /** See `ServiceClient.subscribe`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** See `ServiceClient.getSnapshot`. */
  readonly getSnapshot: () => ClientSnapshot;
  /** See `ServiceClient.getServerSnapshot`. */
  readonly getServerSnapshot: () => ClientSnapshot;
  /** The signed-in wallet. A change of it calls the listeners. */
  wallet: Address | null;
  /** Shows the state of an operation. Its signature comes from `signed`, never from the service. */
  follow(
    operation: Omit<OperationUnderWay, 'signature' | 'confirmed'>,
    signed?: { readonly signature: Signature },
  ): void;
  /** Shows that the caller's own RPC has seen the transaction of an operation as confirmed. */
  confirm(operationId: string, confirmed: Confirmed): void;
  /** Whether anyone is subscribed. */
  readonly isWatched: boolean;
  /** Removes an operation that is over. */
  leave(operationId: string): void;
}

/** The snapshot of every new client. React needs the same object each time. */
const EMPTY: ClientSnapshot = Object.freeze({ wallet: null, operations: Object.freeze([]) });

/**
 * Creates an empty store.
 *
 * @param isOver whether an operation has ended or expired, and is not shown again
 * @param isExpired whether a draft can no longer be signed
 */
export function snapshotStore(
  isOver: (operationId: string) => boolean,
  isExpired: (operationId: string) => boolean,
): SnapshotStore {
  let snapshot = EMPTY;
  // One function may be subscribed twice, so each subscription is an object.
  const subscriptions = new Set<{ readonly listener: () => void }>();

  function change(next: Partial<ClientSnapshot>): void {
    snapshot = Object.freeze({ ...snapshot, ...next });
    for (const subscription of [...subscriptions]) {
      if (subscriptions.has(subscription)) notify(subscription.listener);
    }
  }

  /** Nobody can submit an expired draft, and nothing else would remove it. */
  const isUnderWay = ({ state, operationId }: OperationUnderWay) =>
    state !== 'DRAFT' || !isExpired(operationId);

  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    getSnapshot: () => snapshot,
    getServerSnapshot: () => EMPTY,
    get wallet() {
      return snapshot.wallet;
    },
    set wallet(wallet) {
      if (wallet !== snapshot.wallet) change({ wallet });
    },
    follow({ operationId, kind, wallet, state, expiresAt }, signed) {
      const before = snapshot.operations.find((entry) => entry.operationId === operationId);
      // A late answer describes the past: an operation that ended stays ended, and a signed one is not a draft again.
      if (isOver(operationId)) return;
      if (before && (before.state === state || (state === 'DRAFT' && before.state !== 'DRAFT'))) return;
      const signature = signed?.signature ?? before?.signature;
      const confirmed = before?.confirmed;
      const entry = Object.freeze({
        ...{ operationId, kind, wallet, state, expiresAt },
        ...(signature ? { signature } : {}),
        ...(confirmed ? { confirmed } : {}),
      });
      const replaced = snapshot.operations.map((other) => (other === before ? entry : other));
      const operations = (before ? replaced : [...replaced, entry]).filter(isUnderWay);
      change({ operations: Object.freeze(operations) });
    },
    confirm(operationId, confirmed) {
      const before = snapshot.operations.find((entry) => entry.operationId === operationId);
      if (!before) return;
      const entry = Object.freeze({ ...before, confirmed });
      const operations = snapshot.operations.map((other) => (other === before ? entry : other));
      change({ operations: Object.freeze(operations) });
    },
    get isWatched() {
      return subscriptions.size > 0;
    },
    leave(operationId) {
      const operations = snapshot.operations.filter((entry) => entry.operationId !== operationId);
      if (operations.length < snapshot.operations.length) change({ operations: Object.freeze(operations) });
    },
  };
}
