import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';
import { mod } from './constraint-system.ts';
import { ALL_REGIONS, ALL_STATUSES, placed, scenario } from './scenario.ts';
import { clauseHashOf, contextHashOf, type Signals } from './statement.ts';

/** Numbers at which a range of the circuit ends, and numbers that are not field elements. */
const LIMITS = [
  ...[0, 4, 5, 8, 13, 16, 17, 18, 32, 40, 64, 128, 252, 253, 254, 256].map((bits) => 1n << BigInt(bits)),
  FIELD_ORDER,
  FIELD_ORDER + (1n << 17n),
  0n,
].flatMap((limit) => [limit - 1n, limit, limit + 1n, -limit]);

/** Elements of the field, with the lowest and the highest ones more often than by chance. */
const element = fc.oneof(
  { arbitrary: fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n }), weight: 4 },
  { arbitrary: fc.constantFrom(0n, 1n, FIELD_ORDER - 1n), weight: 1 },
);

const below = (limit: bigint) => fc.bigInt({ min: 0n, max: limit - 1n });

/** A member, and a mask that contains it: alone, among random ones, or with all. */
const memberOf = (size: number, all: bigint) =>
  fc
    .tuple(fc.nat(size - 1), fc.oneof(fc.constantFrom(0n, all), below(all + 1n)))
    .map(([member, others]) => ({ member: BigInt(member), mask: others | (1n << BigInt(member)) }));

/** An age limit, and two days of which the second one reaches it. */
const ages = fc
  .record({ minAge: below(256n), birthDate: below(1n << 17n), spare: below(1n << 18n) })
  .map(({ minAge, birthDate, spare }) => ({ minAge, birthDate, asOf: birthDate + 512n * minAge + spare }));

/** Signals for which every claim is true. The opened clause has one to eight slots, or at most six of a limited rule set. */
export const trueSignals: fc.Arbitrary<Signals> = fc
  .record({
    ages,
    salt: element,
    person: element,
    limited: fc.constantFrom(0n, 1n),
    passHash: element,
    region: memberOf(253, ALL_REGIONS),
    status: memberOf(32, ALL_STATUSES),
    others: fc.array(element, { minLength: 8, maxLength: 8 }),
    first: fc.nat(5),
    slots: fc.uniqueArray(fc.nat(7), { maxLength: 8 }),
  })
  .map(({ ages, region, status, others, first, slots, ...free }) => {
    const attributes = { region: region.member, status: status.member, ...free, ...ages };
    const signals = { ...attributes, regionMask: region.mask, statusMask: status.mask };
    const hash = clauseHashOf(signals);
    const clauses = others.map((other, slot) => (slot === first || slots.includes(slot) ? hash : other));
    const clauseHashes = free.limited ? placed(clauses, free.person, others[6]) : clauses;
    return scenario({ ...signals, clauseHashes });
  });

const NAMES = [
  'region',
  'status',
  'birthDate',
  'salt',
  'person',
  'limited',
  'regionMask',
  'statusMask',
  'minAge',
  'asOf',
  'passHash',
] as const;

/**
 * Signals of which one to three have another number. Either the hashes fit the numbers, or one of them is that of the true
 * signals. Most break a claim, and some do not.
 */
export const changedSignals: fc.Arbitrary<Signals> = fc
  .record({
    signals: trueSignals,
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    numbers: fc.array(fc.oneof(fc.constantFrom(...LIMITS), below(256n), element), {
      minLength: 3,
      maxLength: 3,
    }),
    slot: fc.nat(7),
    stale: fc.constantFrom('none', 'none', 'none', 'clauseHashes', 'contextHash', 'tag'),
    shift: fc.constantFrom(0n, 0n, FIELD_ORDER, -FIELD_ORDER),
  })
  .map(({ signals, names, numbers, slot, stale, shift }) => {
    const changes = Object.fromEntries(names.map((name, index) => [name, numbers[index]!]));
    const changed = { ...signals, ...changes };
    const reduced = { ...changed, ...Object.fromEntries(NAMES.map((name) => [name, mod(changed[name])])) };
    const clauses = signals.clauseHashes.with(slot, clauseHashOf(reduced));
    const fresh = reduced.limited === 1n && stale !== 'tag';
    const fitting = fresh ? placed(clauses, reduced.person, clauses[6]) : clauses;
    const clauseHashes = stale === 'clauseHashes' ? signals.clauseHashes : fitting;
    const contextHash =
      stale === 'contextHash' ? signals.contextHash : contextHashOf({ ...reduced, clauseHashes });
    return {
      ...changed,
      clauseHashes: clauseHashes.map((hash) => hash + shift),
      contextHash: contextHash + shift,
    };
  });
