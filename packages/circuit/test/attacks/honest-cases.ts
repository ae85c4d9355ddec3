import { FIELD_ORDER } from '@service/protocol/eligibility';
import { ALL_REGIONS, ALL_STATUSES, type Changes, day, scenario } from '../support/scenario.ts';
import type { Signals } from '../support/statement.ts';

/** Yields signals for which every claim is true. Most are at a limit. */
export function* honestCases(): Generator<{ name: string; signals: Signals }> {
  const just = (name: string, changes: Changes = {}) => ({ name, signals: scenario(changes) });
  for (let slot = 0; slot < 8; slot += 1) yield just(`a clause in slot ${slot}`, { slot });
  for (let slot = 0; slot < 6; slot += 1) {
    yield just(`a clause in slot ${slot} of a limited rule set`, { slot, limited: 1n });
  }
  for (const person of [0n, 1n, FIELD_ORDER - 1n]) {
    yield just(`the person ${person} in a limited rule set`, { person, limited: 1n });
  }
  for (const place of [0, 1, 2, 15, 16, 127, 128, 200, 239, 240, 251, 252]) {
    const regionMask = 1n << BigInt(place);
    yield just(`region ${place} alone in its mask`, { region: BigInt(place), regionMask });
  }
  for (const place of [0, 1, 3, 4, 21, 27, 28, 30, 31]) {
    const statusMask = 1n << BigInt(place);
    yield just(`status ${place} alone in its mask`, { status: BigInt(place), statusMask });
  }
  yield just('every region and status', { regionMask: ALL_REGIONS, statusMask: ALL_STATUSES });
  yield just('the day of birth, without an age limit', { minAge: 0n, birthDate: day(2026, 6, 15) });
  yield just('the highest age limit', { minAge: 255n, birthDate: day(1900, 1, 1), asOf: day(2155, 1, 1) });
  yield just('the largest difference', { minAge: 0n, birthDate: day(1900, 1, 1), asOf: day(2155, 12, 31) });
  const late = { birthDate: day(2154, 12, 31), asOf: day(2155, 12, 31) };
  const limits = { birthDate: day(1900, 1, 1), limited: 1n };
  yield just('the largest difference in a limited rule set', {
    ...limits,
    minAge: 0n,
    asOf: day(2155, 12, 31),
  });
  yield just('a birth late in the range', { ...late, minAge: 1n });
  yield just('128 years', { minAge: 128n, birthDate: day(1901, 1, 1), asOf: day(2029, 1, 1) });
  const leapling = { birthDate: day(2004, 2, 29) };
  yield just('born on 29 February, on 1 March of a common year', { ...leapling, asOf: day(2022, 3, 1) });
  const leapDay = { ...leapling, minAge: 20n, asOf: day(2024, 2, 29) };
  yield just('born on 29 February, on 29 February of a leap year', leapDay);
  const dayBefore = { birthDate: day(2006, 2, 28), asOf: day(2024, 2, 28) };
  yield just('born on 28 February, on 28 February of a leap year', dayBefore);
}
