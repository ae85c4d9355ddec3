/** Time limits and waits that leave nothing behind: no timer, no abort listener. */
import { ServiceError } from '../errors.ts';
import type { Clock } from './clock.ts';

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
