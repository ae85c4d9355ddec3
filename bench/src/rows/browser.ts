/** Proofs in a page of Chromium. */
import { personEnv } from '../person.ts';
import type { Row } from '../row.ts';

/** A proof after the first two, in a worker of a page. */
export const browserProof: Row = {
  id: 'proof-worker-browser',
  what: 'proof, warm, in a worker, Chromium',
  against: 'Semaphore v4, depth 10',
  unit: 'ms',
  goal: 0.33,
  better: 'lower',
  rounds: 11,
  async start(processes) {
    const process = processes.start('browser.ts', { env: await personEnv() });
    await process.ask('warmUp');
    return {
      ours: () => process.ask('ours'),
      peer: () => process.ask('peer'),
    };
  },
};

/** Longest time in milliseconds that a page's thread should be busy. */
const LONGEST_TASK_MS = 20;

/**
 * The longest task of the page's thread, from the import of the SDK to the end of a first proof. Its CPU time is that of this
 * thread.
 */
export const mainThreadTask: Row = {
  id: 'main-thread-task',
  what: "longest task of the page's thread, first proof, Chromium",
  against: `${LONGEST_TASK_MS} ms`,
  unit: 'ms',
  goal: 1,
  better: 'lower',
  rounds: 5,
  async start(processes) {
    const process = processes.start('browser.ts', { env: await personEnv() });
    return {
      ours: () => process.ask('longestTask'),
      peer: async () => ({ value: LONGEST_TASK_MS, cpu: LONGEST_TASK_MS }),
    };
  },
};
