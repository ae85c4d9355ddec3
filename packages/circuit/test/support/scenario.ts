import { type CircuitInput, dateCode } from '@service/protocol/eligibility';
import { type Claim, clauseHashOf, contextHashOf, type Signals, tagOf } from './statement.ts';

/** Signals of the circuit, with some inner signals set by hand instead of computed from the constraints. */
export interface Attack {
  readonly name: string;
  /** The false claim that the circuit should not accept. */
  readonly claim: Claim;
  /** A signal that is undefined gets the value that the constraints require. */
  readonly signals: Scenario;
  /** Inner signals that are set by hand, by name. */
  readonly set: Readonly<Record<string, bigint>>;
}

/** An attack written by hand on one person's signals. */
export interface NamedAttack extends Attack {
  readonly signals: Signals;
  /** All claims whose constraints reject it, in the order of the circuit's statements. The first is `claim`. */
  readonly refusedBy: readonly Claim[];
}

/** Returns an attack on one person's signals. The first of `refusedBy` is the false claim. */
export function attackOn(
  signals: Signals,
  name: string,
  set: Attack['set'],
  ...refusedBy: [Claim, ...Claim[]]
): NamedAttack {
  return { name, claim: refusedBy[0], signals, set, refusedBy };
}

/** Returns the rows of `it.each` for cases or attacks, with `%s` for the name. */
export function named<Case extends { name: string }>(cases: Iterable<Case>) {
  return [...cases].map((one) => [one.name, one] as const);
}

/** Signals, some of which can be undefined. */
export type Scenario = Omit<Signals, 'contextHash' | 'clauseHashes'> & {
  contextHash: bigint | undefined;
  clauseHashes: (bigint | undefined)[];
};

/** The signals that a test changes. `slot` is the place of the opened clause; 8 puts it nowhere. */
export type Changes = Partial<Signals> & { slot?: number };

export const ALL_REGIONS = 2n ** 253n - 1n;
export const ALL_STATUSES = 2n ** 32n - 1n;

/** Returns the date code of a day, as a signal. */
export function day(year: number, month: number, dayOfMonth: number): bigint {
  return BigInt(dateCode({ year, month, day: dayOfMonth }));
}

/**
 * Returns the signals of a person of region 40 and status 1 who is 18 today, for a rule set whose clause in slot 2
 * requires exactly that. All claims are true unless the changes make one false. The clause hashes, the tag and the context
 * hash are computed from the changed signals unless they are given, because a cheating prover computes them correctly too.
 */
export function scenario({ slot = 2, ...changes }: Changes = {}): Signals {
  const signals = {
    region: 40n,
    status: 1n,
    birthDate: day(2008, 6, 15),
    salt: 0x1234n,
    person: 0x5678n,
    limited: 0n,
    regionMask: (1n << 40n) | 1n,
    statusMask: 0b0110n,
    minAge: 18n,
    asOf: day(2026, 6, 15),
    passHash: 2n ** 252n + 7n,
    ...changes,
  };
  const clauseHashes = changes.clauseHashes ?? slotsOf(signals, slot);
  const whole = { ...signals, clauseHashes };
  return { ...whole, contextHash: changes.contextHash ?? contextHashOf(whole) };
}

/** Returns the eight slots. If the rule set is limited, the last two hold a scope and the person's tag. */
function slotsOf(signals: Omit<Signals, 'contextHash' | 'clauseHashes'>, slot: number): bigint[] {
  const slots = OTHER_CLAUSE_HASHES.map((hash, index) => (index === slot ? clauseHashOf(signals) : hash));
  return signals.limited === 0n ? slots : placed(slots, signals.person);
}

/** Returns the slots with the scope of a place in the last but one, and the person's tag for it in the last. */
export function placed(slots: readonly bigint[], person: bigint, scope = SCOPE): bigint[] {
  const clauseHashes = slots.with(6, scope);
  return clauseHashes.with(7, tagOf({ person, clauseHashes }));
}

/** The scope of a place. */
const SCOPE = 2n ** 251n + 11n;

/** Returns signals as the decimal strings that clients pass to a witness calculator. */
export function asInput({ clauseHashes, ...others }: Signals): CircuitInput {
  const texts = Object.entries(others).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts), clauseHashes: clauseHashes.map(String) };
}

/** Hashes of clauses that no test opens. */
const OTHER_CLAUSE_HASHES = Array.from({ length: 8 }, (_, index) =>
  clauseHashOf({ regionMask: 1n << 200n, statusMask: BigInt(index + 1), minAge: 0n }),
);

/** Returns names and values for an array of signals. */
export function each(name: string, count: number, value: (index: number) => bigint): Record<string, bigint> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}[${index}]`, value(index)]));
}

/** Returns bit number `place` of a number. */
export function bit(number: bigint, place: number): bigint {
  return (number >> BigInt(place)) & 1n;
}

/** Returns the mask without some of its bits. */
export function without(mask: bigint, ...places: number[]): bigint {
  return places.reduce((rest, place) => rest & ~(1n << BigInt(place)), mask);
}
