/**
 * The time of a client. Every wait of a client uses it: sign-ins, calls of the service and of the RPC, retries, and waits for
 * operations and credentials. Tests pass their own as `clock`, in the options of `ServiceClient` and of the functions of
 * `@service/sdk/chain`, and so need no real time. Downloads of artifacts, workers of the prover and parts of the SDK that
 * are loaded late always use the clock of the machine.
 *
 * @example
 * // Pauses end at once, and no time limit ends a call.
 * let passedMs = 0;
 * const clock: Clock = {
 *   now: () => Date.now() + passedMs,
 *   elapsed: () => passedMs,
 *   pause: async (milliseconds) => { passedMs += milliseconds; },
 *   limit: () => new Promise(() => undefined),
 * };
 * const client = new ServiceClient({ deployment, clock });
 */
export interface Clock {
  /** Returns milliseconds of the Unix epoch. */
  now(): number;
  /** Returns the milliseconds since any fixed moment. They never go back, also if somebody sets the machine's clock. */
  elapsed(): number;
  /** Waits between two looks: resolves after some milliseconds, or at once when the signal fires. Never rejects. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /**
   * Waits for a time limit: resolves after some milliseconds. When the signal fires, the result is not used any more. Apart
   * from `pause`, so that a test can end the pauses and keep the limits.
   */
  limit(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const machineClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: wait,
  limit: wait,
});

/** Milliseconds of the longest possible timer, 24 days. A longer one, such as Infinity, would fire at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after some milliseconds, or when the signal fires. Leaves no timer and no listener. */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MOST_TIMER_MS));
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}

/** Returns the Unix seconds of a clock. */
export function unixSeconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}
