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

const STEPS = { decisions: readDueDecisions, messages: sendDueMessages, sweep } as const;

/** Milliseconds between two sweeps. What they delete is weeks old. */
const SWEEP_MS = 600_000;

/** Starts the work. With `manual` it runs only by `tick`. A step that fails is logged and repeated at the next interval. */
export function startBackground(verifier: Verifier, intervalMs: number | 'manual'): Background {
  let isStopped = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function runAll(): Promise<void> {
    if (isStopped) return;
    const now = verifier.clock.now();
    for (const [name, step] of Object.entries(STEPS)) {
      if (name === 'sweep' && now - sweptAt < SWEEP_MS) continue;
      if (name === 'sweep') sweptAt = now;
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
