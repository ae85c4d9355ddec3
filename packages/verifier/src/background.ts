/** The background work of a verifier: reads decisions, sends messages, and deletes what nobody needs any more. */
import { logError } from '@service/process';
import { readDueDecisions } from './checks/read-decisions.ts';
import { sendDueMessages } from './messages/outbox.ts';
import { sweep } from './sessions/sweep.ts';
import type { Verifier } from './verifier.ts';

/** Background work that runs until it is stopped. */
export interface Background {
  /** Does everything that is due, once. Tests drive the work with it. */
  tick(): Promise<void>;
  /** Runs the work now, instead of at the next interval. */
  wake(): void;
  /** Begins nothing new, and resolves when the running work has ended. */
  stop(): Promise<void>;
}

/** The steps in their order. A step with `everyMs` runs at most so often. */
const STEPS = [
  { name: 'decisions', step: readDueDecisions, everyMs: 0 },
  { name: 'messages', step: sendDueMessages, everyMs: 0 },
  // What it deletes is weeks old.
  { name: 'sweep', step: sweep, everyMs: 600_000 },
] as const;

/** Starts the work. With `manual` it runs only by `tick`. A step that fails is logged and repeated at the next interval. */
export function startBackground(verifier: Verifier, intervalMs: number | 'manual'): Background {
  let isStopped = false;
  const lastRuns = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function runAll(): Promise<void> {
    if (isStopped) return;
    const now = verifier.clock.now();
    for (const { name, step, everyMs } of STEPS) {
      if (now - (lastRuns.get(name) ?? Number.NEGATIVE_INFINITY) < everyMs) continue;
      lastRuns.set(name, now);
      await runStep(verifier, name, step);
    }
  }
  const tick = () => {
    running = running.then(runAll);
    return running;
  };
  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await tick();
      if (!isStopped) schedule(intervalMs as number);
    }, ms);
  };
  if (intervalMs !== 'manual') schedule(0);
  return {
    tick,
    wake: () => {
      if (intervalMs !== 'manual' && !isStopped) schedule(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function runStep(
  verifier: Verifier,
  name: string,
  step: (verifier: Verifier) => Promise<unknown>,
): Promise<void> {
  try {
    await step(verifier);
    verifier.metrics.steps.inc({ name, outcome: 'ok' });
  } catch (error) {
    verifier.metrics.steps.inc({ name, outcome: 'failed' });
    logError(verifier.log, error, `the step ${name} failed; it will be repeated`);
  }
}
