/** The options and the result of a wait for an operation. */
import type { Operation, OperationKind, OperationState } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { CallOptions } from '../lib/clock.ts';
import type { ConfirmedOptions } from '../rpc/confirmed-options.ts';

/** An operation that is final on the caller's own RPC (SPEC.md section 3). */
export interface FinalizedOperation {
  /** UUID of the operation. */
  readonly operationId: string;
  /** The kind of the operation. */
  readonly kind: OperationKind;
  /** The wallet that signed it. */
  readonly wallet: Address;
  /** Executed and final. */
  readonly state: 'FINALIZED';
  /** Base58. */
  readonly signature: Signature;
  /** Number of the slot in which it was executed. */
  readonly slot: bigint;
  /**
   * Whether the service's index has reached that slot, so that reads show it. False if the index did not reach it within
   * 10 seconds, or if the wallet sent the operation itself: it is final all the same, so do not repeat it.
   */
  readonly indexed: boolean;
  /** Base58 address of the rule set, if it created one. */
  readonly rule?: Address;
}

/** Options of `fetchReceipt`: which transaction counts as the operation (SPEC.md sections 3 and 4). */
export interface FetchReceiptOptions extends CallOptions {
  /**
   * The wallet that signed the operation. Needed if this client neither signed it nor signed a wallet in.
   * @default any wallet that signed in through this client
   */
  readonly wallet?: Address | undefined;
  /**
   * The wallet's signature in base58, from `signAndSubmit` or the snapshot. The client then accepts no other
   * transaction as the operation, whatever the service says. Keep it with the id over a page load.
   * @default the signature that this client holds, if it signed the operation
   */
  readonly signature?: Signature | undefined;
}

/** Options of `waitForOperation` (SPEC.md section 4). */
export interface WaitOptions extends FetchReceiptOptions, ConfirmedOptions {
  /**
   * Called with each new state that the service names; not while the chain is searched. Called with `FINALIZED` and
   * `indexed: false` if your own RPC shows the end before the service does; the wait for the index then goes on. An
   * error that it throws is reported as an error of the page and ends nothing.
   */
  readonly onState?: (state: OperationState, operation: Operation) => void;
  /**
   * Unix seconds, by this machine's clock, of a moment before the operation was prepared. With it, an RPC whose history
   * reaches a minute further back can prove that nothing was signed. The clock may be wrong, but it must not have been
   * set since then. @default the beginning of the chain
   */
  readonly preparedAt?: bigint | undefined;
  /** Milliseconds. @default 180000 */
  readonly timeoutMs?: number;
}
