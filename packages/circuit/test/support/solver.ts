import {
  type Combination,
  type Constraint,
  type ConstraintSystem,
  divide,
  mod,
} from './constraint-system.ts';

/** A witness, and how each wire got its value. */
export interface Solution {
  readonly witness: readonly bigint[];
  /** The steps, in order. */
  readonly steps: readonly Step[];
  /** Wires that nothing determines. Each got the value of the fallback. */
  readonly guessed: readonly number[];
}

/** Either one constraint gave one wire its value, or the bits of a decomposition were read from its sum. */
export type Step =
  | { readonly constraint: number; readonly wire: number }
  | { readonly decomposition: Decomposition };

/**
 * Extends some values to a whole witness from the constraints alone, without circom's witness calculator.
 *
 * A constraint with one unknown wire gives that wire its value. If no constraint has only one, the bits of a
 * decomposition are read from its sum. If no decomposition is left either, one wire gets the value of the fallback. It
 * checks no constraint whose wires all have values ({@link broken} does).
 *
 * It needs constraints as written (`--O0`). After simplification, each constraint has several unknown wires.
 *
 * @param given values by wire
 * @param fallback returns the value of a wire that nothing determines
 */
export function solve(
  system: ConstraintSystem,
  given: ReadonlyMap<number, bigint>,
  fallback: (wire: number) => bigint = () => 0n,
): Solution {
  const plan = planOf(system);
  const values: (bigint | undefined)[] = new Array(system.wireCount);
  const unknownIn = Uint32Array.from(plan.wires, (wires) => wires.length);
  const ready = plan.wires.flatMap((wires, constraint) => (wires.length === 1 ? [constraint] : []));
  let next = 0;
  const steps: Step[] = [];
  const guessed: number[] = [];

  const assign = (wire: number, value: bigint) => {
    values[wire] = value;
    for (const constraint of system.constraintsOf[wire]!) {
      unknownIn[constraint]! -= 1;
      if (unknownIn[constraint] === 1) ready.push(constraint);
    }
  };
  const settle = () => {
    // The oldest first, so that the order is from inputs to outputs, and pure checks come last.
    for (; next < ready.length; next += 1) {
      const constraint = ready[next]!;
      const wire = plan.wires[constraint]!.find((candidate) => values[candidate] === undefined);
      if (wire === undefined) continue;
      const value = solveFor(system.constraints[constraint]!, wire, values);
      if (value === undefined) continue;
      steps.push({ constraint, wire });
      assign(wire, value);
    }
  };

  assign(0, 1n);
  for (const [wire, value] of given) if (values[wire] === undefined) assign(wire, mod(value));
  settle();
  for (let wire = 0; ; ) {
    const decomposition = plan.decompositions.find(
      ({ bits, rest }) =>
        bits.some(([bit]) => values[bit] === undefined) &&
        rest.wires.every((term) => values[term] !== undefined),
    );
    if (decomposition) {
      steps.push({ decomposition });
      for (const [bit, value] of bitsOf(decomposition, values))
        if (values[bit] === undefined) assign(bit, value);
    } else {
      while (wire < values.length && values[wire] !== undefined) wire += 1;
      if (wire === values.length) return { witness: values as bigint[], steps, guessed };
      guessed.push(wire);
      assign(wire, mod(fallback(wire)));
    }
    settle();
  }
}

/** Returns the witness with some wires changed by hand, and with everything that depends on them computed again. */
export function edit(
  system: ConstraintSystem,
  { witness, steps }: Solution,
  changes: ReadonlyMap<number, bigint>,
): bigint[] {
  const { wires } = planOf(system);
  const values = [...witness];
  const changed = new Uint8Array(values.length);
  const put = (wire: number, value: bigint) => {
    if (values[wire] === value) return;
    values[wire] = value;
    changed[wire] = 1;
  };
  for (const [wire, value] of changes) put(wire, mod(value));
  for (const step of steps) {
    if ('decomposition' in step) {
      if (!step.decomposition.rest.wires.some((wire) => changed[wire])) continue;
      for (const [bit, value] of bitsOf(step.decomposition, values)) if (!changes.has(bit)) put(bit, value);
    } else {
      const { constraint, wire } = step;
      if (changes.has(wire) || !wires[constraint]!.some((other) => changed[other])) continue;
      put(wire, solveFor(system.constraints[constraint]!, wire, values) ?? values[wire]!);
    }
  }
  return values;
}

/** The wires of each constraint, and the constraints that are a sum of bits. */
interface Plan {
  readonly wires: readonly (readonly number[])[];
  readonly decompositions: readonly Decomposition[];
}

/** The sum of `bits`, each times 2^place, is -scale * rest. */
export interface Decomposition {
  readonly bits: readonly (readonly [wire: number, place: number])[];
  readonly rest: Combination;
  readonly scale: bigint;
}

const MINUS_ONE = mod(-1n);

const plans = new WeakMap<ConstraintSystem, Plan>();

function planOf(system: ConstraintSystem): Plan {
  const known = plans.get(system);
  if (known) return known;
  const wires = system.constraints.map(({ a, b, c }) => [...new Set([...a.wires, ...b.wires, ...c.wires])]);
  const booleans = new Set(system.constraints.flatMap((constraint) => bitOf(constraint) ?? []));
  const decompositions = system.constraints.flatMap(({ a, b, c }) => {
    if (a.wires.length > 0 && b.wires.length > 0) return [];
    return decompositionOf(c, booleans) ?? [];
  });
  const plan = { wires, decompositions };
  plans.set(system, plan);
  return plan;
}

/** Returns the wire that a constraint limits to 0 or 1 by w * (w - 1) = 0. */
function bitOf({ a, b, c }: Constraint): number | undefined {
  const [one, two] = a.wires.length < b.wires.length ? [a, b] : [b, a];
  const [wire] = one.wires;
  if (one.wires.length !== 1 || two.wires.length !== 2 || c.wires.length !== 0 || !wire) return undefined;
  const holdsAtOne = two.coefficients[0]! + two.coefficients[1]! === 0n;
  return two.wires.includes(0) && two.wires.includes(wire) && holdsAtOne ? wire : undefined;
}

/** Returns the bits of a decomposition, for the places that it has. */
function bitsOf(
  { bits, rest, scale }: Decomposition,
  values: readonly (bigint | undefined)[],
): (readonly [wire: number, value: bigint])[] {
  const value = mod(-partial(rest, values).known * scale);
  return bits.map(([wire, place]) => [wire, (value >> BigInt(place)) & 1n]);
}

function decompositionOf(sum: Combination, booleans: ReadonlySet<number>): Decomposition | undefined {
  const terms = sum.wires.map((wire, term) => [wire, sum.coefficients[term]!] as const);
  const bits = terms.filter(([wire]) => booleans.has(wire));
  const others = terms.filter(([wire]) => !booleans.has(wire));
  if (bits.length < 2) return undefined;
  const rest = { wires: others.map(([wire]) => wire), coefficients: others.map(([, factor]) => factor) };
  // Circom writes the sum with a plus or a minus sign.
  const scale = bits.some(([, coefficient]) => coefficient === 1n) ? 1n : -1n;
  const places = bits.map(([wire, coefficient]) => [wire, powerOf(mod(scale * coefficient))] as const);
  if (new Set(places.map(([, place]) => place)).size < bits.length) return undefined;
  return places.every(([, place]) => place >= 0) ? { bits: places, rest, scale } : undefined;
}

/** Returns n for 2^n, and -1 for any other number. */
function powerOf(value: bigint): number {
  const place = value.toString(2).length - 1;
  return value === 1n << BigInt(place) ? place : -1;
}

/** Returns the only value of a wire that a constraint allows, or undefined if it allows none or several. */
function solveFor(
  { a, b, c }: Constraint,
  wire: number,
  values: readonly (bigint | undefined)[],
): bigint | undefined {
  const left = partial(a, values, wire);
  const right = partial(b, values, wire);
  const result = partial(c, values, wire);
  if (left.factor !== 0n && right.factor !== 0n) return undefined;
  const factor = mod(result.factor - left.factor * right.known - right.factor * left.known);
  const known = mod(left.known * right.known - result.known);
  // Most factors are 1 or -1.
  if (factor === MINUS_ONE) return mod(-known);
  return factor === 0n ? undefined : divide(known, factor);
}

/** Returns the known part of a combination, not reduced, and the coefficient of the wire that is solved for. */
function partial(
  { wires, coefficients }: Combination,
  values: readonly (bigint | undefined)[],
  sought?: number,
): { known: bigint; factor: bigint } {
  let [known, factor] = [0n, 0n];
  for (let term = 0; term < wires.length; term += 1) {
    const wire = wires[term]!;
    if (wire === sought) factor += coefficients[term]!;
    else known += coefficients[term]! * values[wire]!;
  }
  return { known, factor };
}
