import { FIELD_ORDER } from '@service/protocol/eligibility';
import { mod } from '../support/constraint-system.ts';
import { bit, day, each, type NamedAttack, scenario } from '../support/scenario.ts';

/** Yields signals with a false claim and inner signals that are set by hand to hide it. */
export function* forgeries(): Generator<NamedAttack> {
  const member = 'main.regionMask:MaskMember';
  // With 254 bits, the mask plus the order of the field is the same number with other bits.
  const mask = 1n << 40n;
  const wrapped = mask + FIELD_ORDER;
  const place = [...Array(253).keys()].find((index) => bit(wrapped, index) === 1n && index !== 40) ?? 0;
  yield {
    name: 'the bits of the mask plus the field order',
    claim: 'regionMask',
    signals: scenario({ region: BigInt(place), regionMask: mask }),
    set: {
      ...each(`${member}.bit:Num2Bits.out`, 254, (index) => bit(wrapped, index)),
      ...each(`${member}.bit`, 254, (index) => bit(wrapped, index)),
    },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'the bits of another region',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: each('main.regionBits:Num2Bits.out', 8, (index) => bit(40n, index)),
    refusedBy: ['regionRange', 'regionMask'],
  };
  yield {
    name: 'a 2 in place of the next bit of the chunk, and -2 below',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: { [`${member}.chunkBit:Num2Bits.out[9]`]: 1n, [`${member}.chunkBit:Num2Bits.out[8]`]: mod(-1n) },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'two chunks flagged at once',
    claim: 'regionMask',
    signals: scenario({ region: 56n }),
    set: { [`${member}.chunkIs.flag[2]`]: 1n },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'two bits of the chunk flagged at once',
    claim: 'regionMask',
    signals: scenario({ region: 41n }),
    set: { [`${member}.bitIs.flag[8]`]: 1n },
    refusedBy: ['regionMask'],
  };
  yield {
    name: 'the bits of 0 for an age that is not reached',
    claim: 'age',
    signals: scenario({ birthDate: day(2020, 1, 1) }),
    set: each('main.ageBits:Num2Bits.out', 18, () => 0n),
    refusedBy: ['age'],
  };
  yield {
    name: 'a 2 among the bits of the age limit',
    claim: 'minAgeRange',
    signals: scenario({ minAge: 256n, birthDate: 0n, asOf: 131_072n - 1n }),
    set: each('main.minAgeBits:Num2Bits.out', 8, (index) => (index === 7 ? 2n : 0n)),
    refusedBy: ['minAgeRange', 'age'],
  };
}
