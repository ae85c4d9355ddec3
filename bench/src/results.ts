/** The rows of bench/results.json, how they are computed, and how two runs are compared. */
import type { Figure, Row } from './row.ts';
import { median, ratioOf, spread } from './statistics.ts';

/** One side of a result. */
export interface SideResult {
  /** Median of the values, in the row's unit. */
  readonly median: number;
  /** Interquartile range divided by the median. */
  readonly spread: number;
  /** Median of the CPU time in milliseconds. */
  readonly cpu?: number;
}

/** A row of bench/results.json. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly against: string;
  readonly unit: Row['unit'];
  readonly better: Row['better'];
  readonly goal: number;
  /** By wall clock, or by size. */
  readonly ratio: number;
  readonly spread: number;
  /** By CPU time. */
  readonly ratioCpu?: number;
  readonly spreadCpu?: number;
  readonly ours: SideResult;
  readonly peer: SideResult;
  readonly rounds: number;
  /** Why the ratio misses the goal. Absent if it reaches the goal, or if the reason is unknown. */
  readonly whyMissed?: string;
  /** The ratio that `--short` compares. */
  readonly steady?: 'value' | 'cpu';
  /** Average number of running processes in the last minute, before and after the row. */
  readonly load: readonly [before: number, after: number];
  readonly measuredAt: string;
  /** Duration of the row, with its preparation. */
  readonly seconds: number;
}

/** The content of bench/results.json. */
export interface Results {
  readonly machine: { readonly processor: string; readonly cores: number; readonly node: string };
  readonly rows: readonly Result[];
  /** Rows that were tried last without success. They have no result. */
  readonly failed: readonly Failure[];
}

/** A row that could not be measured. */
export interface Failure {
  readonly id: string;
  readonly reason: string;
}

/** Returns a number with six significant digits. */
export const rounded = (value: number) => Number(value.toPrecision(6));

/** Computes medians, spreads and ratios of the figures of a row. Throws RangeError if the sides do not match. */
export function resultOf(
  { id, what, against, unit, better, goal, steady, whyMissed }: Omit<Row, 'start' | 'rounds'>,
  ours: readonly Figure[],
  peer: readonly Figure[],
): Omit<Result, 'load' | 'measuredAt' | 'seconds'> {
  const values = (side: readonly Figure[]) => side.map(({ value }) => value);
  const cpus = (side: readonly Figure[]) => side.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
  const hasCpu = cpus(ours).length > 0 && cpus(peer).length > 0;
  const byValue = ratioOf(values(ours), values(peer), better);
  const byCpu = hasCpu ? ratioOf(cpus(ours), cpus(peer), better) : undefined;
  const sideOf = (side: readonly Figure[]): SideResult => ({
    median: rounded(median(values(side))),
    spread: rounded(spread(values(side))),
    ...(hasCpu ? { cpu: rounded(median(cpus(side))) } : {}),
  });
  return {
    ...{ id, what, against, unit, better, goal },
    ratio: rounded(byValue.ratio),
    spread: rounded(byValue.spread),
    ...(byCpu ? { ratioCpu: rounded(byCpu.ratio), spreadCpu: rounded(byCpu.spread) } : {}),
    ours: sideOf(ours),
    peer: sideOf(peer),
    rounds: ours.length,
    ...(whyMissed && !reachesGoal({ better, ratio: byValue.ratio, goal }) ? { whyMissed } : {}),
    ...(steady ? { steady } : {}),
  };
}

/** A ratio may be worse than the committed one by a fifth. */
const TOLERANCE = 1.2;

/**
 * Compares the steady ratios of a run with the committed ones. Returns a sentence for each that is worse by more than a
 * fifth, and for each that was never committed.
 */
export function worseThan(committed: readonly Result[], measured: readonly Result[]): string[] {
  return measured.flatMap((now) => {
    const steady = now.steady;
    if (!steady) return [];
    const before = committed.find(({ id }) => id === now.id);
    const [was, is] = [before && steadyRatio(before, steady), steadyRatio(now, steady)];
    if (was === undefined || is === undefined) {
      return [
        `${now.id}: bench/results.json has no ratio to compare with. Run npm run bench -- --only ${now.id}.`,
      ];
    }
    const worse = now.better === 'lower' ? is / was : was / is;
    // A ratio that is not a number is worse, too.
    if (worse <= TOLERANCE) return [];
    const by = steady === 'cpu' ? ' of CPU time' : '';
    return [`${now.id}: the ratio${by} is ${is} and was ${was}. It may be worse by at most a fifth.`];
  });
}

const steadyRatio = (result: Result, steady: 'value' | 'cpu') =>
  steady === 'cpu' ? result.ratioCpu : result.ratio;

/** Returns whether the ratio reaches the goal. */
export function reachesGoal({ better, ratio, goal }: Pick<Result, 'better' | 'ratio' | 'goal'>): boolean {
  return better === 'lower' ? ratio <= goal : ratio >= goal;
}
