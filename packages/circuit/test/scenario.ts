import { dateCode } from '@service/protocol/eligibility';
import { type Claim, clauseHashOf, contextHashOf, type Signals } from './statement.ts';

/** Signals of the circuit, and values put by hand in place of what the constraints would make of them. */
export interface Attack {
  readonly name: string;
  /** What the circuit is to accept though it is false. */
  readonly claim: Claim;
  /** A signal left undefined becomes what the constraints ask for. */
  readonly signals: Scenario;
  /** Inner signals by name. */
  readonly set: Readonly<Record<string, bigint>>;
}

/** Attacks thought of by hand. The first claim is what the cheat wants; refusedBy is all that stands in the way. */
export interface NamedAttack extends Attack {
  /** The claims whose constraints refuse it: more than one where the lie reaches several. */
  readonly refusedBy: readonly Claim[];
}

/** Signals of which some may be open. */
export type Scenario = Omit<Signals, 'contextHash' | 'clauseHashes'> & {
  contextHash: bigint | undefined;
  clauseHashes: (bigint | undefined)[];
};

/** The part of a scenario that a test changes. */
export type Changes = Partial<Signals> & { slot?: number };

export const ALL_REGIONS = 2n ** 253n - 1n;
export const ALL_STATUSES = 2n ** 32n - 1n;

/** A date code as a signal. */
export function day(year: number, month: number, dayOfMonth: number): bigint {
  return BigInt(dateCode({ year, month, day: dayOfMonth }));
}

/**
 * Someone of region 40 and status 1 who is 18 today, before a rule set whose clause in slot 2 asks for just that:
 * true unless changed. The opened clause is put into its slot, and the context hash is that of the rest, unless the
 * changes hold these too: a cheat gets right whatever he can.
 */
export function scenario({ slot = 2, ...changes }: Changes = {}): Signals {
  const signals = {
    region: 40n,
    status: 1n,
    birthDate: day(2008, 6, 15),
    salt: 0x1234n,
    regionMask: (1n << 40n) | 1n,
    statusMask: 0b0110n,
    minAge: 18n,
    asOf: day(2026, 6, 15),
    passHash: 2n ** 252n + 7n,
    ...changes,
  };
  const clauseHashes =
    changes.clauseHashes ??
    OTHER_CLAUSE_HASHES.map((hash, index) => (index === slot ? clauseHashOf(signals) : hash));
  const whole = { ...signals, clauseHashes };
  return { ...whole, contextHash: changes.contextHash ?? contextHashOf(whole) };
}

/** Hashes of clauses that nobody opens. */
const OTHER_CLAUSE_HASHES = Array.from({ length: 8 }, (_, index) =>
  clauseHashOf({ regionMask: 1n << 200n, statusMask: BigInt(index + 1), minAge: 0n }),
);

/** Names and values of an array of signals. */
export function each(name: string, count: number, value: (index: number) => bigint): Record<string, bigint> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}[${index}]`, value(index)]));
}

/** Bit number `place` of a number. */
export function bit(number: bigint, place: number): bigint {
  return (number >> BigInt(place)) & 1n;
}

/** A set of regions or statuses as a mask. */
export function without(mask: bigint, ...places: number[]): bigint {
  return places.reduce((rest, place) => rest & ~(1n << BigInt(place)), mask);
}
