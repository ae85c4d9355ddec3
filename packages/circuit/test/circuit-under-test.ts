import { compileConstraints, readSources, type Simplification } from '../scripts/compile.ts';
import { type ConstraintSystem, holds, readConstraintSystem, type Witness } from './constraint-system.ts';
import type { Attack, Scenario } from './scenario.ts';
import { edit, type Solution, solve } from './solver.ts';
import type { Signals } from './statement.ts';

/** Compiles the circuit's constraints, with some of its files changed, and names their signals. */
export async function compileSystem(
  simplification: Simplification,
  changed: Readonly<Record<string, string>> = {},
): Promise<ConstraintSystem> {
  const sources = { ...(await readSources()), ...changed };
  return readConstraintSystem(await compileConstraints(simplification, changed), sources);
}

/**
 * Makes a witness of a scenario, past the witness calculator. See {@link solve}.
 *
 * @param written the constraints as written
 * @param fallback what a signal is to be that nothing determines, by wire
 * @param set inner signals by name, from which others may follow in any direction
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

/** The witness of an attack: that of its signals, with the inner signals that it sets put in by hand. */
export function witnessOfAttack(
  written: ConstraintSystem,
  { set }: Pick<Attack, 'set'>,
  honest: Solution,
): bigint[] {
  return edit(written, honest, byWire(written, set));
}

/** Signals that the system does not have are passed over: a mutant may lack them. */
function byWire(written: ConstraintSystem, named: Readonly<Record<string, bigint>>): Map<number, bigint> {
  const wires = new Map<number, bigint>();
  for (const [name, value] of Object.entries(named)) {
    const wire = written.wireOf.get(name);
    if (wire !== undefined) wires.set(wire, value);
  }
  return wires;
}

/** The circuit's own signals in a witness. */
export function signalsIn(written: ConstraintSystem, witness: Witness): Signals {
  const read = (name: string) => witness[written.wireOf.get(`main.${name}`) ?? -1] ?? 0n;
  return {
    contextHash: read('contextHash'),
    region: read('region'),
    status: read('status'),
    birthDate: read('birthDate'),
    salt: read('salt'),
    clauseHashes: Array.from({ length: 8 }, (_, slot) => read(`clauseHashes[${slot}]`)),
    regionMask: read('regionMask'),
    statusMask: read('statusMask'),
    minAge: read('minAge'),
    asOf: read('asOf'),
    passHash: read('passHash'),
  };
}

/** The same witness for the simplified system, which has some of the signals. */
export function carryOver(
  written: ConstraintSystem,
  witness: Witness,
  simplified: ConstraintSystem,
): bigint[] {
  return sourcesOf(written, simplified).map((wire) => witness[wire]!);
}

const sources = new WeakMap<ConstraintSystem, { of: ConstraintSystem; wires: readonly number[] }>();

/** For each wire of the simplified system the one of the written system that carries the same signal. */
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

const judged = new WeakMap<ConstraintSystem, { carried: Witness; refused: ReadonlySet<number> }>();

/** The numbers of the simplified system's constraints that a witness of the written one breaks. */
export function refusals(
  written: ConstraintSystem,
  witness: Witness,
  simplified: ConstraintSystem,
): number[] {
  const carried = carryOver(written, witness, simplified);
  const { constraints, constraintsOf } = simplified;
  // Attacks one after the other differ in few wires, and all other constraints are as they were with the one before.
  const before = judged.get(simplified);
  const wires = carried.flatMap((value, wire) => (value === before?.carried[wire] ? [] : [wire]));
  const refused = new Set(before?.refused);
  for (const number of new Set(wires.flatMap((wire) => constraintsOf[wire]!))) {
    if (holds(constraints[number]!, carried)) refused.delete(number);
    else refused.add(number);
  }
  judged.set(simplified, { carried, refused });
  return [...refused].sort((a, b) => a - b);
}
