import { logError } from './log-error.ts';
import type { Service } from './service.ts';

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
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
  let giveUp = () => {};
  const gaveUp = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(limited.reason);
  });
  limited.addEventListener('abort', giveUp, { once: true });
  try {
    return { ok: true, value: await Promise.race([ask(limited), gaveUp]) };
  } catch (error) {
    logError(service.log, error, `${what} failed`);
    return { ok: false };
  } finally {
    limited.removeEventListener('abort', giveUp);
  }
}
