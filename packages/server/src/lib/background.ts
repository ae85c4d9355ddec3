/** Background work: repeats one step until it is stopped. */

import type { Service } from '../service.ts';
import { logError } from './log-error.ts';
import { withTimeout } from './with-timeout.ts';

/** Background work that runs until it is stopped. */
export interface Background {
  /** Starts no new step. Resolves when the current step has ended; `service.signal` aborts it. */
  stop(): Promise<void>;
  /** Runs one step after the current one. Throws what the step throws. Tests use this to drive the work. */
  tick(): Promise<void>;
}

/** The step and its interval. */
export interface BackgroundOptions {
  readonly name: string;
  /** One step. It must be safe to repeat after it failed halfway. `signal` aborts with `service.signal`, or after a minute. */
  step(signal: AbortSignal): Promise<void>;
  /** Milliseconds between steps, or `manual`: only by tick(). @default settings.pollIntervalMs */
  readonly intervalMs?: number | 'manual';
}

/** Timeout of a step, in milliseconds: a connection that hangs must not stop the work forever. */
const STEP_TIMEOUT_MS = 60_000;

async function countedStep(service: Service, { name, step }: BackgroundOptions): Promise<void> {
  try {
    await withTimeout(service.signal, STEP_TIMEOUT_MS, step);
    service.metrics.countStep(name, 'ok');
  } catch (error) {
    // A step that shutdown aborts has not failed.
    if (!service.signal.aborted) service.metrics.countStep(name, 'failed');
    throw error;
  }
}

/** Starts background work. Logs a step that throws, and retries it after the interval. */
export function startBackground(service: Service, options: BackgroundOptions): Background {
  const interval =
    service.settings.pollIntervalMs === 'manual'
      ? 'manual'
      : (options.intervalMs ?? service.settings.pollIntervalMs);
  let isStopped = false;
  const log = service.log.child({ background: options.name });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const run = (): Promise<void> => {
    const step = running.then(() => (isStopped ? undefined : countedStep(service, options)));
    running = step.catch(() => undefined);
    return step;
  };
  const schedule = (delay: number) => {
    timer = setTimeout(async () => {
      await run().catch((error: unknown) => {
        if (!service.signal.aborted) logError(log, error, `${options.name} failed. It will retry.`);
      });
      if (!isStopped && interval !== 'manual') schedule(interval);
    }, delay);
  };
  if (interval !== 'manual') schedule(0);

  return {
    tick: run,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
