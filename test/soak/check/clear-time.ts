/** How long nothing hindered the service, by which an outcome is judged. */

/** A time in which faults hinder operations, in milliseconds of one clock. */
export interface Hindrance {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** Returns the milliseconds of the longest time between `from` and `to` without a hindrance. */
export function longestClearMs(
  hindrances: readonly Hindrance[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let longest = 0;
  let clearFrom = from;
  for (const each of hindrances.toSorted((a, b) => a.from - b.from)) {
    if (each.to <= clearFrom) continue;
    longest = Math.max(longest, Math.min(each.from, to) - clearFrom);
    clearFrom = each.to;
  }
  return Math.max(longest, to - clearFrom);
}
