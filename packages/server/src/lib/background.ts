/** Background work: the same step again and again, one at a time, until it is stopped. */

import type { Service } from '../service.ts';
import { logError } from './log-error.ts';
import { withTimeout } from './with-timeout.ts';

/** Background work that runs until it is stopped. */
export interface Background {
  /** Begins no further step; resolves when the one that is running has ended, which `service.signal` hurries. */
  stop(): Promise<void>;
  /** Runs one step now, after the one that is running; throws what the step throws. Tests drive the work by this. */
  tick(): Promise<void>;
}

/** What is done and how often. */
export interface BackgroundOptions {
  readonly name: string;
  /** One step. Must be safe to run again after it failed half-way; `signal` aborts with `service.signal`, or after a minute. */
  step(signal: AbortSignal): Promise<void>;
  /** Milliseconds from the end of one step to the next; `settings.pollIntervalMs` by default. `manual`: only by tick(). */
  readonly intervalMs?: number | 'manual';
}

/** Milliseconds after which a step is given up, or one connection that hangs would end the work for good. */
const STEP_TIMEOUT_MS = 60_000;

async function countedStep(service: Service, { name, step }: BackgroundOptions): Promise<void> {
  try {
    await withTimeout(service.signal, STEP_TIMEOUT_MS, step);
    service.metrics.countStep(name, 'ok');
  } catch (error) {
    // What the end of the service breaks off has not failed.
    if (!service.signal.aborted) service.metrics.countStep(name, 'failed');
    throw error;
  }
}

/** Starts background work. A step that throws is logged and tried again at the next turn. */
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
        if (!service.signal.aborted) logError(log, error, `${options.name} failed; it tries again`);
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
