/** Time: the clock, moments, and waits and time limits that leave nothing behind, no timer and no abort listener. */
import { ServiceError } from '../errors.ts';

/**
 * The time of a client. Every wait of a client uses it: sign-ins, calls of the service and of the RPC, retries, and waits for
 * operations and credentials. Tests pass their own as `clock`, in the options of `ServiceClient` and of the functions of
 * `@service/sdk/chain`, and so need no real time. Downloads of artifacts, workers of the prover and parts of the SDK that
 * are loaded late always use the clock of the machine.
 *
 * The date of a device can be wrong, and the service can lie about times. So each decision has its own clock:
 *
 * | decision | clock |
 * |---|---|
 * | the age of a draft, waits and time limits | `elapsed`, and the validity of the blockhash on the caller's own RPC |
 * | how long a sign-in message and its prompt last | the two times in the message, at most five minutes apart |
 * | whether a sign-in message is current | `now`; if that does not agree, the chain's time |
 * | credentials, passes, fees, preflight checks | the chain's time |
 * | how long ago a caller prepared an operation (`preparedAt`) | the difference of two times of `now`, subtracted from the time of a block |
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
  /** Returns the milliseconds since any fixed moment. They never decrease, even if somebody changes the machine's clock. */
  elapsed(): number;
  /** Waits between two reads: resolves after some milliseconds, or at once when the signal fires. Never rejects. */
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

/** A moment, by the two times of a clock in milliseconds. */
export type Moment = Readonly<Record<'now' | 'elapsed', number>>;

/** Returns the present moment. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), elapsed: clock.elapsed() };
}

/**
 * Returns the milliseconds since a moment, or more. `elapsed` can stop while a machine sleeps, and somebody can set `now`, so
 * the larger difference counts. Use it where too long a time is safe: then something is fetched or checked again.
 */
export function mostSince(clock: Clock, { now, elapsed }: Moment): number {
  return Math.max(clock.elapsed() - elapsed, Math.abs(clock.now() - now));
}

/** Options of every asynchronous call of the SDK. */
export interface CallOptions {
  /** Ends the call early. Before the client sends anything, the call throws ABORTED; later it throws OUTCOME_UNKNOWN. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a function may run. */
export interface Deadline {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** What runs, for messages. */
  readonly what: string;
}

/**
 * Runs a function with a time limit and the caller's signal. Ends in time even if `run` ignores its signal, because a
 * fetch can ignore a signal that several requests passed on.
 *
 * @throws ServiceError ABORTED or TIMEOUT; otherwise what `run` throws.
 */
export async function withDeadline<T>(
  { clock, signal, timeoutMs, what }: Deadline,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal, what);
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const over = new AbortController();
  let timedOut = false;
  void clock.limit(timeoutMs, over.signal).then(() => {
    if (over.signal.aborted) return;
    timedOut = true;
    controller.abort();
  });
  try {
    return await Promise.race([run(controller.signal), ended]);
  } catch (error) {
    throwIfAborted(signal, what);
    if (timedOut) {
      throw new ServiceError('TIMEOUT', {
        message: `${what} took longer than ${timeoutMs} ms. Try again.`,
      });
    }
    throw error;
  } finally {
    over.abort();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits for some milliseconds. Throws ServiceError ABORTED as soon as the signal fires. */
export async function pause(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
  what: string,
): Promise<void> {
  throwIfAborted(signal, what);
  await untilAborted(clock.pause(milliseconds, signal), signal, what);
}

/**
 * Waits for a promise that takes no signal, such as a wallet's prompt. Drops its result after an abort.
 *
 * @throws ServiceError ABORTED as soon as the signal fires; otherwise what `waited` throws.
 */
export async function untilAborted<T>(
  waited: Promise<T>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
  try {
    return await Promise.race([waited, aborted]);
  } catch (error) {
    throwIfAborted(signal, what);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs something with a signal that fires as soon as one of two does. Leaves no listener. `AbortSignal.any` is newer than
 * the oldest supported browsers.
 */
export async function withEither<T>(
  one: AbortSignal,
  other: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const signals = [one, other];
  const onAbort = () => either.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort);
  if (signals.some(({ aborted }) => aborted)) onAbort();
  try {
    return await run(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}

/** Throws ServiceError ABORTED with the signal's reason as its cause, if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (!signal?.aborted) return;
  throw new ServiceError('ABORTED', {
    message: `${what} was aborted by the caller.`,
    cause: signal.reason,
  });
}

/** Yields growing pauses in milliseconds. */
export function* backoff(options: { firstMs: number; mostMs: number }): Generator<number, never> {
  let next = options.firstMs;
  for (;;) {
    yield next;
    next = Math.min(options.mostMs, next * 1.5);
  }
}
