import type { Service } from '../service.ts';
import { logError } from './log-error.ts';
import { withTimeout } from './with-timeout.ts';

/** The result of an attempt. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Timeout of one attempt, in milliseconds. */
const ATTEMPT_TIMEOUT_MS = 2_000;

/** Waits at most two seconds for `ask`, even if it ignores the signal. Logs a failure as "`what` failed". */
export async function attempt<T>(
  service: Pick<Service, 'log'>,
  what: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Attempt<T>> {
  try {
    const limited = (own: AbortSignal) => Promise.race([ask(own), aborted(own)]);
    return { ok: true, value: await withTimeout(signal, ATTEMPT_TIMEOUT_MS, limited) };
  } catch (error) {
    logError(service.log, error, `${what} failed`);
    return { ok: false };
  }
}

/** Rejects when the signal aborts; otherwise it stays pending. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
