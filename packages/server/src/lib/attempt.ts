import type { Service } from '../service.ts';
import { withTimeout } from './with-timeout.ts';

/** The result of an attempt. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

const ATTEMPT_TIMEOUT_MS = 2_000;

/** Waits at most two seconds for `ask`, even if it ignores the signal. Logs an outage of `what` once. */
export async function attempt<T>(
  service: Pick<Service, 'outages'>,
  what: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Attempt<T>> {
  try {
    const limited = (own: AbortSignal) => Promise.race([ask(own), aborted(own)]);
    const value = await withTimeout(signal, ATTEMPT_TIMEOUT_MS, limited);
    service.outages.worked(what);
    return { ok: true, value };
  } catch (error) {
    // A caller that stops waiting is not an outage.
    if (!signal.aborted) service.outages.failed(what, error);
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
