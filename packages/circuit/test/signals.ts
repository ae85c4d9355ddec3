import { dateCode } from '@service/protocol/eligibility';
import { hashClause, type PrivateSignals } from './prover.ts';

/** The statements of eligibility.circom that refuse, by what they are there for. */
export const REFUSED_BY = {
  context: 'contextHash === context.out;',
  slot: 'product[slots - 1] === 0;',
  minAgeRange: 'signal minAgeBits[8] <== Num2Bits(8)(minAge);',
  regionRange: 'signal regionBits[8] <== Num2Bits(8)(region);',
  regionMask: 'MaskMember(253, 8, 4)(regionMask, regionBits);',
  statusRange: 'signal statusBits[5] <== Num2Bits(5)(status);',
  statusMask: 'MaskMember(32, 5, 2)(statusMask, statusBits);',
  birthDateRange: 'signal birthDateBits[17] <== Num2Bits(17)(birthDate);',
  age: 'signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);',
} as const;

/** A date code as a signal. */
export function day(year: number, month: number, dayOfMonth: number): bigint {
  return BigInt(dateCode({ year, month, day: dayOfMonth }));
}

export interface Opening {
  regionMask: bigint;
  statusMask: bigint;
  minAge: bigint;
}

/** The third of three clauses, the only one that the person below meets. */
export const clause: Opening = { regionMask: (1n << 40n) | 1n, statusMask: 0b0110n, minAge: 18n };

const others: Opening[] = [
  { regionMask: 1n << 40n, statusMask: 0b1000n, minAge: 0n },
  { regionMask: 1n << 41n, statusMask: 0b0110n, minAge: 0n },
];

/** 8 slots: clauses in order, then the empty clause. */
export function slotsOf(openings: Opening[]): bigint[] {
  const empty: Opening = { regionMask: 0n, statusMask: 0n, minAge: 0n };
  return Array.from({ length: 8 }, (_, index) => {
    const { regionMask, statusMask, minAge } = openings[index] ?? empty;
    return hashClause(regionMask, statusMask, minAge);
  });
}

/** Region 40, status 1, 18 today: holds. */
export const eligible: PrivateSignals = {
  region: 40n,
  status: 1n,
  birthDate: day(2008, 6, 15),
  salt: 0x1234n,
  clauseHashes: slotsOf([...others, clause]),
  ...clause,
  asOf: day(2026, 6, 15),
  passHash: 2n ** 253n - 7n,
};

/** The same person before a rule set whose one clause is the given one, opened. */
export function onlyClause(changes: Partial<Opening>): PrivateSignals {
  const opening = { ...clause, ...changes };
  return { ...eligible, ...opening, clauseHashes: slotsOf([opening]) };
}
