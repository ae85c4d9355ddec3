import { FIELD_ORDER } from '@service/protocol/eligibility';
import { mod } from '../support/constraint-system.ts';
import { attackOn, bit, type Changes, day, each, type NamedAttack, scenario } from '../support/scenario.ts';
import type { Claim } from '../support/statement.ts';

/** Yields signals with a false claim and inner signals that are set by hand to hide it. */
export function* forgeries(): Generator<NamedAttack> {
  const forgery = (
    name: string,
    changes: Changes,
    set: Record<string, bigint>,
    ...refusedBy: [Claim, ...Claim[]]
  ) => attackOn(scenario(changes), name, set, ...refusedBy);
  const member = 'main.regionMask:MaskMember';
  const bitsOf = (name: string, count: number, number: bigint) =>
    each(`${name}:Num2Bits.out`, count, (index) => bit(number, index));

  // With 254 bits, the mask plus the order of the field is the same number with other bits.
  const regionMask = 1n << 40n;
  const wrapped = regionMask + FIELD_ORDER;
  const place = [...Array(253).keys()].find((index) => bit(wrapped, index) === 1n && index !== 40) ?? 0;
  const wrappedBits = {
    ...bitsOf(`${member}.bit`, 254, wrapped),
    ...each(`${member}.bit`, 254, (index) => bit(wrapped, index)),
  };
  const wrappedRegion = { region: BigInt(place), regionMask };
  yield forgery('the bits of the mask plus the field order', wrappedRegion, wrappedBits, 'regionMask');
  const next = { region: 41n };
  const own = bitsOf('main.regionBits', 8, 40n);
  yield forgery('the bits of another region', next, own, 'regionMask', 'regionRange');
  const two = {
    [`${member}.chunkBit:Num2Bits.out[9]`]: 1n,
    [`${member}.chunkBit:Num2Bits.out[8]`]: mod(-1n),
  };
  yield forgery('a 2 in place of the next bit of the chunk, and -2 below', next, two, 'regionMask');
  const twoChunks = { [`${member}.chunkIs.flag[2]`]: 1n };
  yield forgery('two chunks flagged at once', { region: 56n }, twoChunks, 'regionMask');
  const twoBits = { [`${member}.bitIs.flag[8]`]: 1n };
  yield forgery('two bits of the chunk flagged at once', next, twoBits, 'regionMask');
  const minor = { birthDate: day(2020, 1, 1) };
  const zero = bitsOf('main.ageBits', 18, 0n);
  yield forgery('the bits of 0 for an age that is not reached', minor, zero, 'age');
  const old = { minAge: 256n, birthDate: 0n, asOf: 131_071n };
  const wide = each('main.minAgeBits:Num2Bits.out', 8, (index) => (index === 7 ? 2n : 0n));
  yield forgery('a 2 among the bits of the age limit', old, wide, 'minAgeRange', 'age');
}
