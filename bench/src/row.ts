/** What a measured row is. */
import type { Processes } from './measured-process.ts';

/** One measurement of one side. */
export interface Figure {
  /** Milliseconds of wall clock, or seconds of chain time, bytes, megabytes or compute units: `unit` of the row names it. */
  readonly value: number;
  /**
   * Milliseconds of CPU time of all threads of the measured process, unless the row says otherwise. Absent where time is not
   * measured.
   */
  readonly cpu?: number;
}

/** The two sides of a row. The harness calls them in turn. */
export interface Sides {
  /** Measures what this project does, once. */
  ours(): Promise<Figure>;
  /** Measures the peer or the bound, once. */
  peer(): Promise<Figure>;
}

/** A row of the table. */
export interface Row {
  readonly id: string;
  /** What is measured. */
  readonly what: string;
  /** What it is compared with. */
  readonly against: string;
  /** Unit of the values. */
  readonly unit: 'ms' | 's' | 'MB' | 'bytes' | 'compute units';
  /** The ratio to reach. */
  readonly goal: number;
  /** Why the row misses its goal. Absent if it reaches the goal, or if the reason is unknown. */
  readonly whyMissed?: string;
  /**
   * Whether a lower or a higher ratio is better. The figures are costs. A lower-is-better ratio is ours / peer, and a
   * higher-is-better one is peer / ours, which is a share of the peer's rate.
   */
  readonly better: 'lower' | 'higher';
  /** Most measurements of each side. A row that takes long makes fewer. */
  readonly rounds: number;
  /** The ratio that is steady enough for the short form to compare. Absent if neither is. */
  readonly steady?: 'value' | 'cpu';
  /** Starts what the row needs. The harness ends the processes. */
  start(processes: Processes): Promise<Sides>;
}
