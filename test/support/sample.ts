/**
 * Chooses which cases of an exhaustive sweep run: all of them with `FULL=1`, as in CI, otherwise a tenth that a seed
 * selects. Each run has a new seed and prints it. `SAMPLE_SEED` repeats a run.
 */

/** Whether every case of every sweep runs. */
export const RUNS_ALL = process.env.FULL === '1';

/** The seed of this run. */
export const SAMPLE_SEED = Number(process.env.SAMPLE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Options of {@link sampled}. */
export interface SampleOptions {
  /** @default SAMPLE_SEED */
  readonly seed?: number;
  /** Whether every case is returned. @default RUNS_ALL */
  readonly all?: boolean;
}

let isPrinted = false;

/** Returns every case with `FULL=1`, otherwise a tenth, rounded up, in the order of the cases. */
export function sampled<T>(
  cases: readonly T[],
  { seed = SAMPLE_SEED, all = RUNS_ALL }: SampleOptions = {},
): readonly T[] {
  if (all) return cases;
  printSeed(seed);
  const random = mulberry32(seed);
  const order = cases.map((_, index) => ({ index, key: random() })).sort((a, b) => a.key - b.key);
  const chosen = new Set(order.slice(0, Math.ceil(cases.length / 10)).map(({ index }) => index));
  return cases.filter((_, index) => chosen.has(index));
}

/**
 * Yields 0, 1, 2 and so on without an end, for a sweep that finds its end itself. Without `FULL=1` it yields each tenth
 * number.
 */
export function* sampledNumbers({
  seed = SAMPLE_SEED,
  all = RUNS_ALL,
}: SampleOptions = {}): Generator<number, never> {
  if (!all) printSeed(seed);
  for (let number = all ? 0 : seed % 10; ; number += all ? 1 : 10) yield number;
}

function printSeed(seed: number): void {
  if (isPrinted) return;
  isPrinted = true;
  const again = `SAMPLE_SEED=${seed} repeats it, FULL=1 runs every case`;
  process.stdout.write(`A tenth of the sweep runs: ${again}.\n`);
}

/** Returns a generator of numbers from 0 to 1, which a seed determines. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
