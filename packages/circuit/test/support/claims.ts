import type { ConstraintSystem } from './constraint-system.ts';
import type { Claim } from './statement.ts';

/** Patterns of signal names, and the claim of a constraint with such a signal. The first match counts. */
const SIGNS: readonly (readonly [RegExp, Claim])[] = [
  [/^main\.(commitment:|context\.)/, 'context'],
  [/^main\.(openedHash:|difference\[|product\[)/, 'slot'],
  [/^main\.regionMask:/, 'regionMask'],
  [/^main\.statusMask:/, 'statusMask'],
  [/^main\.minAgeBits/, 'minAgeRange'],
  [/^main\.regionBits/, 'regionRange'],
  [/^main\.statusBits/, 'statusRange'],
  [/^main\.birthDateBits/, 'birthDateRange'],
  [/^main\.ageBits/, 'age'],
  [/^main\.tag\b/, 'tag'],
  [/^main\.limited$/, 'limited'],
];

/** Returns the claim of each constraint of a system, by number. */
export function claimsOf({ constraints, wireOf }: ConstraintSystem): Claim[] {
  const names = new Map([...wireOf].map(([name, wire]) => [wire, name]));
  return constraints.map(({ a, b, c }, number) => {
    const inside = [...a.wires, ...b.wires, ...c.wires].map((wire) => names.get(wire) ?? '');
    const claim = SIGNS.find(([sign]) => inside.some((name) => sign.test(name)))?.[1];
    if (!claim) throw new Error(`Constraint ${number} belongs to no claim: ${inside.join(', ')}`);
    return claim;
  });
}
