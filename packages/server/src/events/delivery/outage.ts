/**
 * Detects that the receiver is down. Then one delivery at a time tries it, and all others wait. A receiver that refuses the content of an
 * event is not down, so that refused events of some wallets do not delay those of others.
 */

/** Failed deliveries in a row after which the receiver counts as down. Each is of another wallet, so one bad event is not enough. */
const DOWN_AFTER = 3;
/** Milliseconds between two deliveries to a receiver that is down. */
export const PROBE_MS = 5_000;
/** Milliseconds that failures must last, so that the events that failed are retried at the next answer. */
const OUTAGE_MS = 60_000;

/** The outages of one receiver, as one process sees them. */
export type ReceiverOutage = ReturnType<typeof createReceiverOutage>;

/** Creates the record of a receiver that accepts events. The clock is in Unix milliseconds. */
export function createReceiverOutage(clock: { now(): number }) {
  /** The events that failed since the last answer. */
  const failed = new Set<string>();
  let firstFailure = 0;
  let probe: Promise<boolean> | undefined;
  let probeAt = 0;
  const isDown = () => failed.size >= DOWN_AFTER;
  return {
    isDown,
    /** Runs `deliver`. Returns false without running it if the receiver is down and it is not time for the next try. */
    async attempt(deliver: () => Promise<boolean>): Promise<boolean> {
      while (isDown()) {
        if (!probe && clock.now() < probeAt) return false;
        if (!probe) {
          probe = deliver().finally(() => {
            probe = undefined;
            probeAt = clock.now() + PROBE_MS;
          });
          return probe;
        }
        await probe.catch(() => false);
      }
      return deliver();
    },
    /** Records that the receiver did not answer an event. */
    failed(eventId: string): void {
      if (failed.size === 0) firstFailure = clock.now();
      failed.add(eventId);
      probeAt = clock.now() + PROBE_MS;
    },
    /**
     * Records that the receiver accepted an event, or refused its content. Returns the ids of events to retry now, because they failed in
     * an outage.
     */
    answered(): string[] {
      const waited = failed.size > 0 && clock.now() - firstFailure >= OUTAGE_MS ? [...failed] : [];
      failed.clear();
      return waited;
    },
  };
}
