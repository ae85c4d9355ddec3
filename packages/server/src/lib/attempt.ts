import type { Service } from '../service.ts';
import { logError } from './log-error.ts';
import { withTimeout } from './with-timeout.ts';

/** What came of an attempt. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Milliseconds that one attempt may take. */
const ATTEMPT_TIMEOUT_MS = 2_000;

/** Asks something for at most two seconds, whether it listens to the signal or not; a failure is logged as `what` failing. */
export async function attempt<T>(
  service: Pick<Service, 'log'>,
  what: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return {
      ok: true,
      value: await withTimeout(signal, ATTEMPT_TIMEOUT_MS, (own) => Promise.race([ask(own), aborted(own)])),
    };
  } catch (error) {
    logError(service.log, error, `${what} failed`);
    return { ok: false };
  }
}

/** Rejects when the signal aborts; it may never. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
