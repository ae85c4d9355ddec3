import { FIELD_ORDER } from '@service/protocol/eligibility';
import { mod } from './constraint-system.ts';
import {
  ALL_REGIONS,
  ALL_STATUSES,
  type Changes,
  day,
  type NamedAttack,
  scenario,
  without,
} from './scenario.ts';
import type { Claim } from './statement.ts';

/** Signals about which the statement is false, as they are. */
export function* lies(): Generator<NamedAttack> {
  const lie = (name: string, claim: Claim, changes: Changes, ...alsoBy: Claim[]): NamedAttack => ({
    name,
    claim,
    signals: scenario(changes),
    set: {},
    refusedBy: [claim, ...alsoBy],
  });
  for (const place of [0, 15, 16, 127, 128, 239, 240, 252]) {
    const regionMask = without(ALL_REGIONS, place);
    yield lie(`region ${place} is not in the mask`, 'regionMask', { region: BigInt(place), regionMask });
  }
  for (const region of [253n, 254n, 255n]) {
    yield lie(`region ${region} is in no mask`, 'regionMask', { region, regionMask: ALL_REGIONS });
  }
  // Simplified, the highest bit is what the others leave of the number, so the mask refuses it as well.
  for (const region of [256n, 256n + 40n, 512n, mod(-1n), mod(-216n)]) {
    const changes = { region, regionMask: ALL_REGIONS };
    yield lie(`region ${short(region)} is none`, 'regionRange', changes, 'regionMask');
  }
  for (const place of [0, 3, 4, 27, 28, 31]) {
    const statusMask = without(ALL_STATUSES, place);
    yield lie(`status ${place} is not in the mask`, 'statusMask', { status: BigInt(place), statusMask });
  }
  for (const status of [32n, 33n, 64n, mod(-1n)]) {
    yield lie(
      `status ${short(status)} is none`,
      'statusRange',
      { status, statusMask: ALL_STATUSES },
      'statusMask',
    );
  }
  yield lie('a day before the birthday', 'age', { asOf: day(2026, 6, 14) });
  yield lie('born a day too late', 'age', { birthDate: day(2008, 6, 16) });
  const leapling = { birthDate: day(2004, 2, 29) };
  yield lie('born on 29 February, on 28 February of a common year', 'age', {
    ...leapling,
    asOf: day(2022, 2, 28),
  });
  yield lie('born on 29 February, a day before that of a leap year', 'age', {
    ...leapling,
    minAge: 20n,
    asOf: day(2024, 2, 28),
  });
  yield lie('born on 1 March, on 29 February of a leap year', 'age', {
    birthDate: day(2006, 3, 1),
    asOf: day(2024, 2, 29),
  });
  yield lie('not born yet', 'age', { minAge: 0n, birthDate: day(2026, 6, 16) });
  yield lie('the least difference that there is', 'age', {
    minAge: 255n,
    birthDate: day(2155, 12, 31),
    asOf: day(1900, 1, 1),
  });
  for (const years of [100_000n, 1n, 2n ** 17n]) {
    const changes = { minAge: 18n, birthDate: mod(-years) };
    yield lie(`born ${years} codes before 1900`, 'birthDateRange', changes);
  }
  for (const extra of [0n, day(2000, 1, 1)]) {
    const changes = { birthDate: 2n ** 17n + extra };
    yield lie(`birth date 2^17 + ${extra}`, 'birthDateRange', changes, 'age');
  }
  yield lie(
    'an age of 256 in the rule set itself',
    'minAgeRange',
    {
      minAge: 256n,
      birthDate: 0n,
      asOf: 131_071n,
    },
    'age',
  );
  yield lie('an age of 2^8 years less than none', 'minAgeRange', { minAge: mod(-1n) });
  yield lie('a status mask of 33 bits in the rule set itself', 'statusMask', { statusMask: 2n ** 32n + 2n });
  yield lie('a region mask of 254 bits in the rule set itself', 'regionMask', {
    regionMask: 2n ** 253n + (1n << 40n),
  });

  yield lie('a clause of no rule', 'slot', { slot: 8 });
  const others = scenario({ slot: 8 }).clauseHashes;
  for (let slot = 0; slot < 8; slot += 1) {
    const clauseHashes = scenario({ slot }).clauseHashes;
    const minAge = 17n;
    yield lie(`a clause like that of slot ${slot}, but for a younger age`, 'slot', { clauseHashes, minAge });
  }
  const empty = { regionMask: 0n, statusMask: 0n, minAge: 0n };
  yield lie('the empty clause of an unused slot', 'regionMask', empty, 'statusMask');
  yield lie('a clause without regions', 'regionMask', { regionMask: 0n });
  yield lie('a clause without statuses', 'statusMask', { statusMask: 0n });

  const { contextHash, clauseHashes } = scenario();
  const elsewhere: [string, Changes][] = [
    ['another wallet or expiry', { passHash: 1n }],
    ['another day', { asOf: day(2026, 6, 16) }],
    ['another rule set', { slot: 3 }],
    ['a rule set in another order', { slot: 5 }],
    ['another region', { region: 0n }],
    ['another status', { status: 2n }],
    ['another birth date', { birthDate: day(2000, 1, 1) }],
    ['another salt', { salt: 1n }],
  ];
  for (const [name, changes] of elsewhere) yield lie(name, 'context', { ...changes, contextHash });
  for (let slot = 0; slot < 8; slot += 1) {
    if (slot === 2) continue;
    const changed = clauseHashes.map((hash, index) => (index === slot ? others[(slot + 1) % 8]! : hash));
    yield lie(`another clause in slot ${slot}`, 'context', { clauseHashes: changed, contextHash });
  }
}

function short(value: bigint): string {
  return value > FIELD_ORDER >> 1n ? `-${FIELD_ORDER - value}` : String(value);
}
