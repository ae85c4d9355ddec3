/** What a call reports about a confirmed transaction. */

/**
 * A transaction that your own RPC shows as confirmed: most of the stake has voted for its block. It is not a result: only a
 * final transaction counts, and this one can still be lost (SPEC.md section 3).
 */
export interface Confirmed {
  /** Number of the slot in which it was executed. */
  readonly slot: bigint;
  /**
   * Whole seconds from `seenAt` until it is probably final, at least 1. The chain's own clocks give the estimate: the slots
   * that are left, and how long the newest slots took. Null if your RPC does not show that.
   */
  readonly finalIn: number | null;
  /** When your RPC showed it: milliseconds of the Unix epoch, by the client's clock. */
  readonly seenAt: number;
}

/** The option of calls that send a transaction and wait until it is final. */
export interface ConfirmedOptions {
  /**
   * Called at most once, when your own RPC shows the signed transaction as confirmed and not yet as final. Nothing is certain
   * then: the call goes on, and can still fail. The service cannot cause it. An error that the callback throws is
   * reported as an uncaught error of the page, and does not end the call.
   */
  readonly onConfirmed?: ((confirmed: Confirmed) => void) | undefined;
}
