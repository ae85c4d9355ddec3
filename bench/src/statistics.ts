/** The arithmetic of the benchmarks. */

/**
 * Returns the value below which a share of the values lies, interpolated between neighbours.
 *
 * @param share from 0 to 1
 * @throws RangeError if there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('A quantile needs at least one value.');
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/** Returns the median. Throws RangeError if there are no values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the interquartile range divided by the median. Throws RangeError if there are no values. */
export function spread(values: readonly number[]): number {
  const range = quantile(values, 0.75) - quantile(values, 0.25);
  return range === 0 ? 0 : range / median(values);
}

/** A ratio with its spread. */
export interface Ratio {
  /** The ratio of the medians. */
  readonly ratio: number;
  /** The spread of the ratios of the single rounds. */
  readonly spread: number;
}

/**
 * Returns the ratio of two sides that were measured in turn. `lower`: ours / peer. `higher`: peer / ours.
 *
 * @throws RangeError unless both sides have the same number of values, at least one
 */
export function ratioOf(ours: readonly number[], peer: readonly number[], better: 'lower' | 'higher'): Ratio {
  if (ours.length !== peer.length) {
    throw new RangeError(`The sides must have equally many values, not ${ours.length} and ${peer.length}.`);
  }
  const [above, below] = better === 'lower' ? [ours, peer] : [peer, ours];
  const rounds = above.map((value, round) => value / below[round]!);
  return { ratio: median(above) / median(below), spread: spread(rounds) };
}
