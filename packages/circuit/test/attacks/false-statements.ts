import { FIELD_ORDER } from '@service/protocol/eligibility';
import { divide, mod } from '../support/constraint-system.ts';
import {
  ALL_REGIONS,
  ALL_STATUSES,
  attackOn,
  type Changes,
  day,
  type NamedAttack,
  placed,
  scenario,
  without,
} from '../support/scenario.ts';
import { type Claim, clauseHashOf, contextDayOf } from '../support/statement.ts';

/** Yields signals that make one claim of the circuit false, without any inner signal set by hand. */
export function* falseStatements(): Generator<NamedAttack> {
  const attack = (name: string, claim: Claim, changes: Changes, ...alsoBy: Claim[]) =>
    attackOn(scenario(changes), name, {}, claim, ...alsoBy);
  for (const place of [0, 15, 16, 127, 128, 239, 240, 252]) {
    const regionMask = without(ALL_REGIONS, place);
    yield attack(`region ${place} is not in the mask`, 'regionMask', { region: BigInt(place), regionMask });
  }
  for (const region of [253n, 254n, 255n]) {
    yield attack(`region ${region} is in no mask`, 'regionMask', { region, regionMask: ALL_REGIONS });
  }
  // After simplification the highest bit is a linear term of the number, so the mask rejects it as well.
  for (const region of [256n, 256n + 40n, 512n, mod(-1n), mod(-216n)]) {
    const changes = { region, regionMask: ALL_REGIONS };
    yield attack(`region ${short(region)} does not exist`, 'regionRange', changes, 'regionMask');
  }
  for (const place of [0, 3, 4, 27, 28, 31]) {
    const statusMask = without(ALL_STATUSES, place);
    yield attack(`status ${place} is not in the mask`, 'statusMask', { status: BigInt(place), statusMask });
  }
  for (const status of [32n, 33n, 64n, mod(-1n)]) {
    const changes = { status, statusMask: ALL_STATUSES };
    yield attack(`status ${short(status)} does not exist`, 'statusRange', changes, 'statusMask');
  }
  const leapling = { birthDate: day(2004, 2, 29) };
  const march = { birthDate: day(2006, 3, 1) };
  const last = { birthDate: day(2155, 12, 31) };
  const tooYoung: [string, Changes][] = [
    ['a day before the birthday', { asOf: day(2026, 6, 14) }],
    ['born a day too late', { birthDate: day(2008, 6, 16) }],
    ['born on 29 February, on 28 February of a common year', { ...leapling, asOf: day(2022, 2, 28) }],
    [
      'born on 29 February, a day before that of a leap year',
      { ...leapling, minAge: 20n, asOf: day(2024, 2, 28) },
    ],
    ['born on 1 March, on 29 February of a leap year', { ...march, asOf: day(2024, 2, 29) }],
    ['not born yet', { minAge: 0n, birthDate: day(2026, 6, 16) }],
    ['the smallest possible difference', { ...last, minAge: 255n, asOf: day(1900, 1, 1) }],
  ];
  for (const [name, changes] of tooYoung) yield attack(name, 'age', changes);
  for (const [codes, minAge] of [
    [100_000n, 18n],
    [100_000n, 255n],
    [1n, 18n],
    [2n ** 17n, 18n],
  ] as const) {
    const name = `born ${codes} codes before 1900, for an age limit of ${minAge}`;
    yield attack(name, 'birthDateRange', { minAge, birthDate: mod(-codes) });
  }
  for (const extra of [0n, day(2000, 1, 1)]) {
    const changes = { birthDate: 2n ** 17n + extra };
    yield attack(`birth date 2^17 + ${extra}`, 'birthDateRange', changes, 'age');
  }
  const aged = { minAge: 256n, birthDate: 0n, asOf: 131_071n };
  yield attack('an age of 256 in the rule set itself', 'minAgeRange', aged, 'age');
  yield attack('an age limit of -1 years', 'minAgeRange', { minAge: mod(-1n) });
  const wideStatuses = { statusMask: 2n ** 32n + 2n };
  yield attack('a status mask of 33 bits in the rule set itself', 'statusMask', wideStatuses);
  const wideRegions = { regionMask: 2n ** 253n + (1n << 40n) };
  yield attack('a region mask of 254 bits in the rule set itself', 'regionMask', wideRegions);

  yield attack('a clause that is not in the rule set', 'slot', { slot: 8 });
  const others = scenario({ slot: 8 }).clauseHashes;
  for (let slot = 0; slot < 8; slot += 1) {
    const clauseHashes = scenario({ slot }).clauseHashes;
    const minAge = 17n;
    yield attack(`the clause of slot ${slot} with a lower age limit`, 'slot', { clauseHashes, minAge });
  }
  const inRuleSet = scenario().clauseHashes;
  for (const mask of [{ regionMask: ALL_REGIONS }, { statusMask: ALL_STATUSES }]) {
    const [name] = Object.keys(mask);
    const changes = { clauseHashes: inRuleSet, ...mask };
    yield attack(`the clause of slot 2 with every bit of ${name}`, 'slot', changes);
  }
  const statusFails = { ...scenario(), statusMask: 1n };
  const regionFails = { ...scenario(), regionMask: 1n << 9n };
  const clauseHashes = inRuleSet.with(2, clauseHashOf(statusFails)).with(3, clauseHashOf(regionFails));
  const mixed = (changes: Changes) => ({ clauseHashes, ...changes });
  yield attack('one clause holds but for the status', 'statusMask', mixed({ statusMask: 1n }));
  yield attack('the other clause holds but for the region', 'regionMask', mixed({ regionMask: 1n << 9n }));
  yield attack('the region of one clause and the status of another', 'slot', mixed({}));
  const empty = { regionMask: 0n, statusMask: 0n, minAge: 0n };
  for (const region of [0n, 40n, 252n]) {
    const name = `the empty clause of an unused slot, for region ${region}`;
    yield attack(name, 'regionMask', { ...empty, region }, 'statusMask');
  }
  yield attack('a clause without regions', 'regionMask', { regionMask: 0n });
  yield attack('a clause without statuses', 'statusMask', { statusMask: 0n });

  yield* falsePlaces();

  const { contextHash } = scenario();
  const elsewhere: [string, Changes][] = [
    ['another wallet or expiry', { passHash: 1n }],
    ['another day', { asOf: day(2026, 6, 16) }],
    ['another rule set', { slot: 3 }],
    ['a rule set in another order', { slot: 5 }],
    ['another region', { region: 0n }],
    ['another status', { status: 2n }],
    ['another birth date', { birthDate: day(2000, 1, 1) }],
    ['another salt', { salt: 1n }],
    ['another person', { person: 1n }],
    ['a limited rule set', { limited: 1n }],
  ];
  for (const [name, changes] of elsewhere) yield attack(name, 'context', { ...changes, contextHash });
  for (let slot = 0; slot < 8; slot += 1) {
    if (slot === 2) continue;
    const changed = inRuleSet.with(slot, others[(slot + 1) % 8]!);
    yield attack(`another clause in slot ${slot}`, 'context', { clauseHashes: changed, contextHash });
  }
}

/** The ways to a place of another person, or to a clause in the slots of scope and tag. */
function* falsePlaces(): Generator<NamedAttack> {
  const attack = (name: string, claim: Claim, changes: Changes, ...alsoBy: Claim[]) =>
    attackOn(scenario(changes), name, {}, claim, ...alsoBy);
  const limited = scenario({ limited: 1n });
  const { clauseHashes, person } = limited;
  const own = { limited: 1n, clauseHashes };
  yield attack('the tag of another person', 'tag', { ...own, person: person + 1n });
  const elsewhere = placed(clauseHashes, person, 3n);
  yield attack('the tag of another place', 'tag', {
    ...own,
    clauseHashes: clauseHashes.with(7, elsewhere[7]!),
  });
  yield attack('the scope of another place', 'tag', { ...own, clauseHashes: clauseHashes.with(6, 3n) });
  for (const tag of [0n, 1n, person, clauseHashes[6]!]) {
    const name = `the number ${short(tag)} in place of a tag`;
    yield attack(name, 'tag', { ...own, clauseHashes: clauseHashes.with(7, tag) });
  }

  const opened = clauseHashOf(limited);
  const absent = scenario({ slot: 8, limited: 1n }).clauseHashes;
  const asScope = { limited: 1n, clauseHashes: placed(absent, person, opened) };
  yield attack('a clause in place of the scope', 'slot', asScope);
  // Its double is one more than that of the clause, as a difference from 1 could have it.
  const half = mod(opened + divide(1n, 2n));
  const asHalf = { limited: 1n, clauseHashes: placed(absent, person, half) };
  yield attack('half more than a clause in place of the scope', 'slot', asHalf);
  const asTag = { limited: 1n, clauseHashes: absent.with(7, opened) };
  yield attack('a clause in place of the tag', 'slot', asTag, 'tag');

  // The program adds 2^20 to the day of a limited rule set. The prover chooses the other kind and moves the day.
  const unlimited = { slot: 8, asOf: contextDayOf(limited) };
  for (const [name, changes] of [
    ['a clause in place of the tag', asTag],
    ['the tag of another person', { clauseHashes: clauseHashes.with(7, 5n) }],
  ] as const) {
    yield attack(`${name}, in a limited rule set taken for another`, 'age', {
      ...changes,
      ...unlimited,
      limited: 0n,
    });
  }
  const read = { clauseHashes, limited: 0n, asOf: contextDayOf(limited) };
  const born = limited.birthDate + (1n << 20n);
  yield attack('a birth date that makes up for the wrong kind', 'birthDateRange', {
    ...read,
    birthDate: born,
  });
  const limit = { asOf: read.asOf, minAge: 18n + 2048n };
  yield attack('an age limit that makes up for the wrong kind', 'minAgeRange', limit);
  const oldest = { birthDate: day(2155, 12, 31), minAge: 255n };
  for (const [name, changes] of [
    ['nobody', {}],
    ['the latest birth and the highest age limit', oldest],
  ] as const) {
    const other = scenario({ ...changes, limited: 1n, asOf: day(2155, 12, 31) });
    const taken = { ...changes, clauseHashes: other.clauseHashes, asOf: contextDayOf(other), limited: 0n };
    yield attack(`a limited rule set taken for another, for ${name}`, 'age', taken);
    const early = mod(other.asOf - (1n << 20n));
    yield attack(`a rule set taken for a limited one, for ${name}`, 'age', {
      ...changes,
      limited: 1n,
      asOf: early,
    });
  }

  // A limit of another number would move the day at will.
  const young = { birthDate: day(2008, 6, 16) };
  const later = divide(-1n, 1n << 20n);
  yield attack('a limit that moves the day by one', 'limited', {
    ...young,
    asOf: day(2026, 6, 16),
    limited: later,
  });
  for (const limit of [2n, mod(-1n), mod(1n - (1n << 20n))]) {
    yield attack(`a limit of ${short(limit)}`, 'limited', { limited: limit });
  }
}

function short(value: bigint): string {
  return value > FIELD_ORDER >> 1n ? `-${FIELD_ORDER - value}` : String(value);
}
