/** What a page shows of a client, as a store that it can subscribe to: the session's wallet and the operations under way. */
import type { OperationKind, OperationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import { notify } from '../lib/notify.ts';

/**
 * An operation that this client prepared or follows, until its end is proven (SPEC.md section 3).
 *
 * @inline
 */
export type OperationUnderWay = {
  /** UUID of the operation. */
  readonly operationId: string;
  /** What it does. */
  readonly kind: OperationKind;
  /** The wallet that signs it. */
  readonly wallet: Address;
  /**
   * As the service last told it; `SIGNED` when the wallet has signed and no answer has come yet. `FINALIZED` and
   * `FAILED` show for the moment in which only the service says so.
   */
  readonly state: OperationState | 'SIGNED';
  /** Unix seconds until which the service takes a draft. */
  readonly expiresAt: bigint;
  /**
   * Base58, once this client has the wallet's signature. Told before the bytes leave: whoever keeps it beside the id
   * can have it proven after a reload that the outcome is of this very transaction.
   */
  readonly signature?: Signature;
};

/**
 * The state of a client at one moment. Frozen; the same object while nothing has changed. Not in SPEC.md: for user
 * interfaces.
 */
export interface ClientSnapshot {
  /** The signed-in wallet, as far as this client knows. */
  readonly wallet: Address | null;
  /** In the order in which they began. */
  readonly operations: readonly OperationUnderWay[];
}

/** The state of one client and whoever listens to it. */
export interface SnapshotStore {
  /** See `ServiceClient.subscribe`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** See `ServiceClient.getSnapshot`. */
  readonly getSnapshot: () => ClientSnapshot;
  /** The session, whose changes are told. */
  readonly session: { wallet: Address | null };
  /** Tells the state of an operation; its signature is that of `signed`, never the service's word. */
  follow(operation: Omit<OperationUnderWay, 'signature'>, signed?: { readonly signature: Signature }): void;
  /** Takes an operation off, because it is over. */
  leave(operationId: string): void;
}

/**
 * An empty store.
 *
 * @param now Unix seconds
 * @param isOver whether an operation has ended or expired: it is not shown again
 */
export function snapshotStore(now: () => bigint, isOver: (operationId: string) => boolean): SnapshotStore {
  let snapshot: ClientSnapshot = Object.freeze({ wallet: null, operations: Object.freeze([]) });
  // An object for each subscription: one function may be subscribed twice.
  const subscriptions = new Set<{ readonly listener: () => void }>();

  function change(next: Partial<ClientSnapshot>): void {
    snapshot = Object.freeze({ ...snapshot, ...next });
    for (const subscription of [...subscriptions]) {
      if (subscriptions.has(subscription)) notify(subscription.listener);
    }
  }

  /** Drafts that nobody can submit any more are gone: without a sign of anyone, they would stay for ever. */
  const isUnderWay = ({ state, expiresAt }: OperationUnderWay) => state !== 'DRAFT' || expiresAt > now();

  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    getSnapshot: () => snapshot,
    session: {
      get wallet() {
        return snapshot.wallet;
      },
      set wallet(wallet) {
        if (wallet !== snapshot.wallet) change({ wallet });
      },
    },
    follow({ operationId, kind, wallet, state, expiresAt }, signed) {
      const before = snapshot.operations.find((entry) => entry.operationId === operationId);
      // A late answer tells of the past: what has ended is not under way, and a signed operation is no draft again.
      if (isOver(operationId)) return;
      if (before && (before.state === state || (state === 'DRAFT' && before.state !== 'DRAFT'))) return;
      const signature = signed?.signature ?? before?.signature;
      const entry = Object.freeze({
        operationId,
        kind,
        wallet,
        state,
        expiresAt,
        ...(signature ? { signature } : {}),
      });
      const replaced = snapshot.operations.map((other) => (other === before ? entry : other));
      const operations = (before ? replaced : [...replaced, entry]).filter(isUnderWay);
      change({ operations: Object.freeze(operations) });
    },
    leave(operationId) {
      const operations = snapshot.operations.filter((entry) => entry.operationId !== operationId);
      if (operations.length < snapshot.operations.length) change({ operations: Object.freeze(operations) });
    },
  };
}
