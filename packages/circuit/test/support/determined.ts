import {
  type Combination,
  type Constraint,
  type ConstraintSystem,
  divide,
  mod,
} from './constraint-system.ts';

/** A linear expression, by wire. Wires that are already determined are left out. */
type Expression = Map<number, bigint>;

/** The number of bits of the largest power of two that is below the order of the field. */
const PLACES = 253;

/**
 * Returns the wires that the inputs do not determine, whatever the values of the inputs are. With none, there is at most one
 * witness for each input, so that a prover can choose nothing but the inputs.
 *
 * It uses three rules. If both factors of a constraint are determined, so is its result. If one factor is a constant, so
 * is the sum of the other factor and the result. Bits are determined together if their sum, each times its own power of
 * two, is determined and below the order of the field.
 *
 * @param isInput whether a signal, by its name, is an input
 */
export function undetermined(system: ConstraintSystem, isInput: (name: string) => boolean): number[] {
  const determined = new Uint8Array(system.wireCount);
  determined[0] = 1;
  for (const [name, wire] of system.wireOf) if (isInput(name)) determined[wire] = 1;
  /** Determined expressions of two or more wires. Each is solved for its key, which no other one contains. */
  const rows = new Map<number, Expression>();

  const open = (...terms: (readonly [sum: Combination, factor: bigint])[]): Expression => {
    const left: Expression = new Map();
    const add = (wire: number, value: bigint) => {
      if (determined[wire]) return;
      const sum = mod((left.get(wire) ?? 0n) + value);
      if (sum === 0n) left.delete(wire);
      else left.set(wire, sum);
    };
    for (const [{ wires, coefficients }, factor] of terms) {
      wires.forEach((wire, term) => {
        add(wire, coefficients[term]! * factor);
      });
    }
    for (const [wire, value] of [...left]) {
      for (const [other, coefficient] of rows.get(wire) ?? []) add(other, -value * coefficient);
    }
    return left;
  };

  /** Notes that an expression is determined. Returns whether that was new. */
  const learn = (expression: Expression): boolean => {
    const [first] = expression;
    if (!first) return false;
    const [pivot, factor] = first;
    const row: Expression = new Map([...expression].map(([wire, value]) => [wire, divide(value, factor)]));
    for (const [key, other] of rows) {
      const value = other.get(pivot);
      if (value === undefined) continue;
      for (const [wire, coefficient] of row) {
        const sum = mod((other.get(wire) ?? 0n) - value * coefficient);
        if (sum === 0n) other.delete(wire);
        else other.set(wire, sum);
      }
      rows.set(key, other);
    }
    rows.set(pivot, row);
    for (const [key, other] of rows) {
      if (other.size > 1) continue;
      determined[key] = 1;
      rows.delete(key);
    }
    return true;
  };

  const booleans = system.constraints.flatMap((constraint) => booleanOf(constraint) ?? []);
  // A wire of which only a multiple is 0 or 1 has another value than a bit.
  const bits = new Set(
    booleans.flatMap(({ wires, coefficients: [own] }) =>
      wires.length === 1 && (own === 1n || own === -1n) ? wires : [],
    ),
  );
  /** Learns the bits in a boolean expression, if it is one more bit of a determined sum. */
  const learnBits = (boolean: Combination): boolean => {
    const left = open([boolean, 1n]);
    if (left.size === 0 || ![...left.keys()].every((wire) => bits.has(wire))) return false;
    for (let own = 0; own < PLACES; own += 1) {
      const places = [...left.values()].map((value) => placeOf(value << BigInt(own)));
      if (places.includes(-1) || new Set([...places, own]).size !== places.length + 1) continue;
      return [...left.keys()]
        .map((wire) => learn(open([{ wires: [wire], coefficients: [1n] }, 1n])))
        .some(Boolean);
    }
    return false;
  };

  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { a, b, c } of system.constraints) {
      if (open([a, 1n]).size === 0 && open([b, 1n]).size === 0) isNew = learn(open([c, 1n])) || isNew;
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const constant = constantOf(other);
        if (constant !== undefined) isNew = learn(open([one, constant], [c, -1n])) || isNew;
      }
    }
    for (const boolean of booleans) isNew = learnBits(boolean) || isNew;
  }
  return [...determined.keys()].filter((wire) => !determined[wire]);
}

/** Returns the expression that a constraint limits to 0 and 1, without its constant if it is one wire. */
function booleanOf({ a, b, c }: Constraint): Combination | undefined {
  if (c.wires.length > 0) return undefined;
  for (const sign of [1n, -1n]) {
    // a * b = 0 with a + b = 1 or a - b = 1 or b - a = 1.
    const sums = new Map<number, bigint>();
    for (const [{ wires, coefficients }, factor] of [
      [a, 1n],
      [b, sign],
    ] as const) {
      wires.forEach((wire, term) => {
        sums.set(wire, mod((sums.get(wire) ?? 0n) + factor * coefficients[term]!));
      });
    }
    const constant = sums.get(0);
    const others = [...sums].filter(([wire, value]) => wire !== 0 && value !== 0n);
    if (others.length > 0 || constant === undefined) continue;
    if (constant === 1n || (sign === -1n && constant === mod(-1n))) {
      return a.wires.length <= b.wires.length ? a : b;
    }
  }
  return undefined;
}

/** Returns the value of an expression without wires. */
function constantOf({ wires, coefficients }: Combination): bigint | undefined {
  return wires.length === 1 && wires[0] === 0 ? coefficients[0] : undefined;
}

/** Returns n for 2^n and -2^n, and -1 for any other number and if n is too large. */
function placeOf(value: bigint): number {
  for (const size of [mod(value), mod(-value)]) {
    const place = size.toString(2).length - 1;
    if (size === 1n << BigInt(place)) return place < PLACES ? place : -1;
  }
  return -1;
}
