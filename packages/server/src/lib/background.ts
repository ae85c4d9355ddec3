/** Background work: repeats one step, never two at a time, until it is stopped. */
import type { Job } from '../health/job-failures.ts';
import type { Service } from '../service.ts';
import { withTimeout } from './with-timeout.ts';

/** Background work that runs until it is stopped. */
export interface Background {
  /** Begins no new step, and resolves when the running step has ended. `service.signal` aborts that step. */
  stop(): Promise<void>;
  /** Runs one step as soon as the running one has ended. Throws what the step throws. Tests drive the work with it. */
  tick(): Promise<void>;
}

/** The work and its interval. */
export interface BackgroundOptions {
  readonly name: string;
  /** Does one step. It must be safe to repeat after a failure halfway. `signal` aborts with `service.signal` or after a minute. */
  step(signal: AbortSignal): Promise<void>;
  /** Milliseconds from the end of one step to the next. @default settings.pollIntervalMs */
  readonly intervalMs?: number;
  /** The job whose failures make this process unready. @default none */
  readonly job?: Job;
}

/** Milliseconds after which a step is aborted. Otherwise one hanging connection would stop the work for good. */
const STEP_TIMEOUT_MS = 60_000;

async function loggedStep(service: Service, { name, step, job }: BackgroundOptions): Promise<void> {
  try {
    await withTimeout(service.signal, STEP_TIMEOUT_MS, step);
    if (job) service.failures.worked(job);
    service.metrics.countStep(name, 'ok');
    service.outages.worked(name);
  } catch (error) {
    // A step that the shutdown aborts has not failed.
    if (!service.signal.aborted) {
      if (job) service.failures.failed(job);
      service.metrics.countStep(name, 'failed');
      service.outages.failed(name, error);
    }
    throw error;
  }
}

/** Starts background work. A step that throws is logged and retried at the next interval. */
export function startBackground(service: Service, options: BackgroundOptions): Background {
  const interval =
    service.settings.pollIntervalMs === 'manual'
      ? 'manual'
      : (options.intervalMs ?? service.settings.pollIntervalMs);
  service.metrics.startSteps(options.name);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const run = (): Promise<void> => {
    const step = running.then(() => (isStopped ? undefined : loggedStep(service, options)));
    running = step.catch(() => undefined);
    return step;
  };
  const schedule = (delay: number) => {
    timer = setTimeout(async () => {
      await run().catch(() => undefined);
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
