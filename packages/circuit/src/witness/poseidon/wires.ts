import type { Sbox, Trace } from './trace.ts';

// circom removes a signal that is a sum of others, and the sums can be solved for several signals. Which of them stay as wires
// is circom's choice. The lists below repeat it. The first S-box of each hash has no wires, because its input is a constant.

/** Returns the wires of a hash of two or three inputs, whose result is a wire of its own. */
export function wiresOfInner({ full, partial, last, sboxes }: Trace): bigint[] {
  const [afterFirst = [], ...later] = full;
  return [
    ...afterFirst.slice(1),
    ...later.flat(),
    ...last.slice(0, -1),
    ...partial.map(([first = 0n]) => first),
    ...powersOf(sboxes),
  ];
}

/** Returns the wires of the hash of eleven inputs, whose result is the public signal. */
export function wiresOfContext(trace: Trace): bigint[] {
  const { full, beforePartial, partial, lastPartialInput, last, sboxes } = trace;
  const [one = [], two = [], three = [], four = [], ...later] = full;
  const lastOf = (state: readonly bigint[]) => state.at(-1)!;
  return [
    ...one.slice(1),
    ...two,
    ...three,
    four[0]!,
    ...later.flat(),
    lastOf(beforePartial),
    ...last.slice(0, -1),
    ...partial.slice(0, -3).map(lastOf),
    ...partial.at(-3)!.slice(1),
    lastOf(partial.at(-2)!),
    lastPartialInput,
    ...powersOf(sboxes),
  ];
}

/** Returns the wires in all S-boxes except the first. */
function powersOf(sboxes: readonly Sbox[]): bigint[] {
  return sboxes.slice(1).flatMap(({ square, fourth }) => [square, fourth]);
}
