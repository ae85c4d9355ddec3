import { compileConstraints, readSources, type Simplification } from '../../scripts/compile.ts';
import { type ConstraintSystem, holds, readConstraintSystem, type Witness } from './constraint-system.ts';
import type { Attack, Scenario } from './scenario.ts';
import { edit, type Solution, solve } from './solver.ts';
import type { Signals } from './statement.ts';

/** Compiles the circuit's constraints, with some files replaced, and names their signals. */
export async function compileSystem(
  simplification: Simplification,
  changed: Readonly<Record<string, string>> = {},
): Promise<ConstraintSystem> {
  const sources = { ...(await readSources()), ...changed };
  return readConstraintSystem(await compileConstraints(simplification, changed), sources);
}

/**
 * Computes a witness of a scenario without the witness calculator. See {@link solve}.
 *
 * @param written the constraints as written (`--O0`)
 * @param fallback returns the value of a wire that nothing determines
 * @param set inner signals by name; other signals can be computed from them in any direction
 */
export function solutionFor(
  written: ConstraintSystem,
  signals: Scenario,
  fallback?: (wire: number) => bigint,
  set: Readonly<Record<string, bigint>> = {},
): Solution {
  const given: Record<string, bigint> = { ...set };
  for (const [name, value] of Object.entries(signals)) {
    const entries = Array.isArray(value)
      ? value.map((item, index) => [`main.${name}[${index}]`, item] as const)
      : [[`main.${name}`, value] as const];
    for (const [path, item] of entries) if (item !== undefined) given[path] = item;
  }
  return solve(written, byWire(written, given), fallback);
}

/** Returns the witness of an attack: the honest witness of its signals, with the inner signals that it sets. */
export function witnessOfAttack(
  written: ConstraintSystem,
  { set }: Pick<Attack, 'set'>,
  honest: Solution,
): bigint[] {
  return edit(written, honest, byWire(written, set));
}

/** Returns values by wire. It ignores signals that the system does not have, because a mutant can lack some. */
function byWire(written: ConstraintSystem, named: Readonly<Record<string, bigint>>): Map<number, bigint> {
  const wires = new Map<number, bigint>();
  for (const [name, value] of Object.entries(named)) {
    const wire = written.wireOf.get(name);
    if (wire !== undefined) wires.set(wire, value);
  }
  return wires;
}

/** Returns the circuit's own signals in a witness. */
export function signalsIn(written: ConstraintSystem, witness: Witness): Signals {
  const read = (name: string) => witness[written.wireOf.get(`main.${name}`) ?? -1] ?? 0n;
  return {
    contextHash: read('contextHash'),
    region: read('region'),
    status: read('status'),
    birthDate: read('birthDate'),
    salt: read('salt'),
    person: read('person'),
    limited: read('limited'),
    clauseHashes: Array.from({ length: 8 }, (_, slot) => read(`clauseHashes[${slot}]`)),
    regionMask: read('regionMask'),
    statusMask: read('statusMask'),
    minAge: read('minAge'),
    asOf: read('asOf'),
    passHash: read('passHash'),
  };
}

/** Returns the same witness for the simplified system, which has fewer signals. */
export function carryOver(
  written: ConstraintSystem,
  witness: Witness,
  simplified: ConstraintSystem,
): bigint[] {
  return sourcesOf(written, simplified).map((wire) => witness[wire]!);
}

const sources = new WeakMap<ConstraintSystem, { of: ConstraintSystem; wires: readonly number[] }>();

/** Returns, for each wire of the simplified system, the wire of the written system with the same signal. */
function sourcesOf(written: ConstraintSystem, simplified: ConstraintSystem): readonly number[] {
  const known = sources.get(simplified);
  if (known?.of === written) return known.wires;
  const wires: number[] = new Array(simplified.wireCount);
  wires[0] = 0;
  for (const [name, wire] of simplified.wireOf) {
    const source = written.wireOf.get(name);
    if (source === undefined) throw new Error(`${name} is only in the simplified circuit.`);
    wires[wire] = source;
  }
  sources.set(simplified, { of: written, wires });
  return wires;
}

const lastChecks = new WeakMap<ConstraintSystem, { carried: Witness; refused: ReadonlySet<number> }>();

/** Returns the numbers of the constraints of the simplified system that a witness of the written one breaks. */
export function refusals(
  written: ConstraintSystem,
  witness: Witness,
  simplified: ConstraintSystem,
): number[] {
  const carried = carryOver(written, witness, simplified);
  const { constraints, constraintsOf } = simplified;
  // Consecutive attacks differ in few wires, so only the constraints of these wires are checked again.
  const before = lastChecks.get(simplified);
  const wires = carried.flatMap((value, wire) => (value === before?.carried[wire] ? [] : [wire]));
  const refused = new Set(before?.refused);
  for (const number of new Set(wires.flatMap((wire) => constraintsOf[wire]!))) {
    if (holds(constraints[number]!, carried)) refused.delete(number);
    else refused.add(number);
  }
  lastChecks.set(simplified, { carried, refused });
  return [...refused].sort((a, b) => a - b);
}
