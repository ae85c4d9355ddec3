/** The plan of a campaign: which faults each round contains. The seed decides it, so that a campaign can be repeated. */
import type { FaultKind } from '../faults/fault.ts';
import type { Random } from '../random.ts';

/** A fault in a round, and when it begins and ends. */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly afterMs: number;
  readonly forMs: number;
  /** Decides what the fault hits. */
  readonly seed: number;
}

/**
 * Yields rounds of one to four kinds. Every kind comes once before any comes again. Faults of one area are never in one
 * round.
 */
export function* rounds(
  kinds: readonly FaultKind[],
  random: Random,
): Generator<readonly PlannedFault[], never> {
  let left: FaultKind[] = [];
  for (;;) {
    const size = random.between(1, 4);
    const round: FaultKind[] = [];
    while (round.length < size) {
      if (left.length === 0) left = random.shuffle(kinds);
      const next = left.findIndex(({ area }) => area === null || round.every((each) => each.area !== area));
      if (next < 0) break;
      round.push(...left.splice(next, 1));
    }
    yield round.map((kind) => ({
      kind,
      afterMs: random.between(0, 800),
      forMs: random.between(500, 3_000),
      seed: random.between(0, 2 ** 31),
    }));
  }
}
