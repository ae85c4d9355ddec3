import { FIELD_ORDER } from '@service/protocol/eligibility';
import type { CompiledConstraints } from '../../scripts/compile.ts';

/** A sum of wires, each times a coefficient. Wire 0 is the constant 1. */
export interface Combination {
  readonly wires: readonly number[];
  /** From -(r-1)/2 to (r-1)/2, so that -1 is stored as -1. */
  readonly coefficients: readonly bigint[];
}

/** a * b - c = 0, modulo r. */
export interface Constraint {
  readonly a: Combination;
  readonly b: Combination;
  readonly c: Combination;
}

/** A rank-1 constraint system. A proof shows only that some witness satisfies it. */
export interface ConstraintSystem {
  readonly wireCount: number;
  readonly constraints: readonly Constraint[];
  /** The wire of each signal. A signal that was simplified away has none. */
  readonly wireOf: ReadonlyMap<string, number>;
  /** The numbers of the constraints that a wire is part of. */
  readonly constraintsOf: readonly (readonly number[])[];
}

/** The value of each wire. */
export type Witness = readonly bigint[];

/**
 * Reads circom's .r1cs and .sym files.
 *
 * It makes the names of anonymous components readable. `main.Num2Bits_79_5006` contains line and position; it becomes
 * `main.regionBits:Num2Bits`, after the signal that the line declares, or after the first argument.
 *
 * @param sources the compiled sources by file name, to look up the lines in
 * @throws Error if the file is not an R1CS over the field of BN254
 */
export function readConstraintSystem(
  { r1cs, sym }: CompiledConstraints,
  sources: Readonly<Record<string, string>>,
): ConstraintSystem {
  const file = new DataView(r1cs.buffer, r1cs.byteOffset, r1cs.byteLength);
  const sections = new Map<number, number>();
  for (let section = 0, at = 12; section < file.getUint32(8, true); section += 1) {
    sections.set(file.getUint32(at, true), at + 12);
    at += 12 + Number(file.getBigUint64(at + 4, true));
  }
  const header = sections.get(1) ?? 0;
  if (file.getUint32(0) !== 0x72316373 || readField(file, header + 4) !== FIELD_ORDER) {
    throw new Error('This is not an R1CS over the scalar field of BN254.');
  }
  const wireCount = file.getUint32(header + 36, true);
  let at = sections.get(2) ?? 0;
  const constraints = Array.from({ length: file.getUint32(header + 60, true) }, () => {
    const [a, b, c] = [readCombination(), readCombination(), readCombination()];
    return { a, b, c };
  });
  const constraintsOf: number[][] = Array.from({ length: wireCount }, () => []);
  constraints.forEach(({ a, b, c }, index) => {
    for (const wire of new Set([...a.wires, ...b.wires, ...c.wires])) constraintsOf[wire]?.push(index);
  });
  return { wireCount, constraints, constraintsOf, wireOf: readNames(sym, sources) };

  function readCombination(): Combination {
    const terms = file.getUint32(at, true);
    const wires = Array.from({ length: terms }, (_, term) => file.getUint32(at + 4 + term * 36, true));
    const coefficients = wires.map((_, term) => centred(readField(file, at + 8 + term * 36)));
    at += 4 + terms * 36;
    return { wires, coefficients };
  }
}

/** Returns the numbers of the constraints that a witness breaks. */
export function broken({ constraints }: ConstraintSystem, witness: Witness): number[] {
  return constraints.flatMap((constraint, number) => (holds(constraint, witness) ? [] : [number]));
}

/** Returns whether a witness satisfies every constraint. */
export function satisfies({ constraints }: ConstraintSystem, witness: Witness): boolean {
  return constraints.every((constraint) => holds(constraint, witness));
}

/** Returns whether a witness satisfies a constraint. */
export function holds({ a, b, c }: Constraint, witness: Witness): boolean {
  return mod(sum(a, witness) * sum(b, witness) - sum(c, witness)) === 0n;
}

/** Returns the value of a sum of wires. */
export function sum({ wires, coefficients }: Combination, witness: Witness): bigint {
  return mod(wires.reduce((total, wire, term) => total + coefficients[term]! * witness[wire]!, 0n));
}

/** Returns an integer modulo the order of the field. */
export function mod(value: bigint): bigint {
  const rest = value % FIELD_ORDER;
  return rest < 0n ? rest + FIELD_ORDER : rest;
}

/**
 * Returns a / b in the field.
 *
 * @throws RangeError if b is 0
 */
export function divide(a: bigint, b: bigint): bigint {
  if (b === 1n) return mod(a);
  let [low, high] = [mod(b), FIELD_ORDER];
  let [lowFactor, highFactor] = [1n, 0n];
  if (low === 0n) throw new RangeError('Division by 0.');
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [lowFactor, highFactor] = [highFactor - lowFactor * quotient, lowFactor];
  }
  return mod(a * lowFactor);
}

function centred(value: bigint): bigint {
  return value > FIELD_ORDER >> 1n ? value - FIELD_ORDER : value;
}

function readField(file: DataView, at: number): bigint {
  let value = 0n;
  for (let word = 3; word >= 0; word -= 1) value = (value << 64n) | file.getBigUint64(at + 8 * word, true);
  return value;
}

function readNames(sym: string, sources: Readonly<Record<string, string>>): Map<string, number> {
  const wireOf = new Map<string, number>();
  for (const row of sym.trim().split('\n')) {
    const [, wire, , name = ''] = row.split(',');
    if (Number(wire) < 0) continue;
    let file = 'eligibility.circom';
    const legible = name.replace(/(\w+?)_(\d+)_\d+(?=\.)/g, (_, template: string, line: string) => {
      const text = sources[file]?.split('\n')[Number(line) - 1] ?? '';
      const role = /signal (\w+)/.exec(text)?.[1] ?? /\)\((\w+),/.exec(text)?.[1] ?? line;
      if (template === 'MaskMember') file = 'mask-member.circom';
      return `${role}:${template}`;
    });
    wireOf.set(legible, Number(wire));
  }
  return wireOf;
}
