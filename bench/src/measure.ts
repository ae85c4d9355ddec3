/** Measures a row within a time limit. */
import { loadavg } from 'node:os';
import { Processes } from './measured-process.ts';
import { type Result, resultOf, rounded } from './results.ts';
import type { Figure, Row } from './row.ts';

/** How many rounds a row measures, and how long. Times are in milliseconds. */
export interface Limits {
  /** Most rounds. */
  readonly rounds: number;
  /** No round begins after this time, unless the row has fewer than LEAST_ROUNDS. */
  readonly enoughMs: number;
  /** The row fails after this time. */
  readonly limitMs: number;
}

/** A median of fewer rounds would say little. */
const LEAST_ROUNDS = 3;

/**
 * Starts a row, measures its sides in turn, and ends its processes.
 *
 * @throws Error if the row fails or takes longer than the limit
 */
export async function measure(row: Row, { rounds, enoughMs, limitMs }: Limits): Promise<Result> {
  const before = loadavg()[0]!;
  const started = performance.now();
  const passed = () => performance.now() - started;
  const processes = new Processes();
  const ours: Figure[] = [];
  const peer: Figure[] = [];
  async function run() {
    const sides = await row.start(processes);
    while (ours.length < rounds && (ours.length < LEAST_ROUNDS || passed() < enoughMs)) {
      const ourFigure = await sides.ours();
      peer.push(await sides.peer());
      ours.push(ourFigure);
    }
  }
  try {
    await within(
      limitMs,
      run(),
      () => `It took longer than ${limitMs / 1000} s, in round ${ours.length + 1}.`,
    );
  } finally {
    await processes.end();
  }
  return {
    ...resultOf(row, ours, peer),
    load: [rounded(before), rounded(loadavg()[0]!)],
    measuredAt: new Date().toISOString(),
    seconds: Math.round(passed() / 1000),
  };
}

/** Waits for work. Throws Error with the reason if it takes longer than the limit. */
async function within(limitMs: number, work: Promise<void>, reason: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reason())), limitMs);
  });
  // The processes that it waits for end with the row, so it may fail later.
  work.catch(() => undefined);
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
