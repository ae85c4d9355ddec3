/** Data that several instructions have in common. */
import type { Instruction } from '@solana/kit';
import { type Expectation, notTested, works } from './expectation.ts';
import type { DataCase } from './row.ts';

const text = (value: string) => new TextEncoder().encode(value);

/** Names that the program rejects, as bytes. */
const badNames: [what: string, name: Uint8Array][] = [
  ['empty', new Uint8Array()],
  ['of 33 bytes', text('a'.repeat(33))],
  ['of 32 characters and 64 bytes', text('ü'.repeat(32))],
  ['a byte that UTF-8 never has', Uint8Array.of(0x61, 0xff)],
  ['cut off in the middle of a character', text('Zü').slice(0, 2)],
  ['a character written with more bytes than it takes', Uint8Array.of(0xc0, 0xaf)],
  ['half of a surrogate pair', Uint8Array.of(0xed, 0xa0, 0x80)],
  ['with a zero inside', text('a\u0000b')],
  ['with a zero at its end', text('a\u0000')],
  ['with a line break', text('a\nb')],
  ['with a delete character', text('a\u007fb')],
  ['with a control character beyond ASCII', text('a\u0085b')],
];

/** The largest number of 8 bytes. */
export const U64_MAX = 2n ** 64n - 1n;

type Make<Change> = (change: Change) => Promise<Instruction | readonly Instruction[]>;

/** Returns a function that writes a case: it sends what `make` returns for a change of the arguments. */
export function casesOf<Change>(make: Make<Change>) {
  return (what: string, change: Change, expected: Expectation): DataCase => ({
    what,
    expected,
    instructions: async () => [await make(change)].flat(),
  });
}

/** Returns a case for each value of one argument. */
export function valuesOf<Value>(make: Make<Value>, values: readonly (readonly [Value, Expectation])[]) {
  const named = casesOf(make);
  return values.map(([value, expected]) => named(`is ${value ?? 'none'}`, value, expected));
}

/** Returns a case that changes one bit of what the verifier signed. */
export function changedAfterSigning(offset: number): DataCase {
  return {
    what: 'is not the value that was signed',
    expected: 'CREDENTIAL_SIGNATURE_INVALID',
    data: (data) => data.with(offset, data[offset]! ^ 1),
  };
}

/** A truth value at a place of the data: what is neither 0 nor 1 is refused. */
export function flagAt(offset: number): DataCase[] {
  return [2, 128, 255].map((value) => ({
    what: `is ${value}`,
    expected: 'INVALID_INSTRUCTION_DATA',
    data: (data) => data.with(offset, value),
  }));
}

/** A name after a byte of length at a place of the data. */
export function prefixedNameAt(offset: number): DataCase[] {
  const put = (data: Uint8Array, name: Uint8Array) => [
    ...data.slice(0, offset),
    name.length,
    ...name,
    ...data.slice(offset + 1 + data[offset]!),
  ];
  return [
    ...[1, 32].map((length) => ({
      what: `has ${length} bytes`,
      expected: works('A name has 1 to 32 bytes.'),
      data: (data: Uint8Array) => put(data, new Uint8Array(length).fill(0x61)),
    })),
    ...badNames.map(
      ([what, name]): DataCase => ({
        what: `is ${what}`,
        expected: 'NAME_INVALID',
        data: (data: Uint8Array) => put(data, name),
      }),
    ),
    {
      what: 'is longer than the data',
      expected: 'INVALID_INSTRUCTION_DATA',
      data: (data) => data.with(offset, 255),
    },
  ];
}

/** A name of 32 bytes padded with zeros at a place of the data. */
export function paddedNameAt(offset: number): DataCase[] {
  // It has no length of its own: what is too long or ends in zeros cannot be written down.
  const writable = badNames.filter(([what, name]) => name.length <= 32 && what !== 'with a zero at its end');
  return writable.map(([what, name]) => ({
    what: `is ${what}`,
    expected: 'NAME_INVALID',
    data: (data) => {
      const padded = new Uint8Array(32);
      padded.set(name);
      data.set(padded, offset);
      return data;
    },
  }));
}

/** An argument of which every value is taken. */
export const ANY_VALUE = notTested(
  'Every value of its size is valid: the program only stores it or checks that it is signed.',
);

/** Why an unrelated wallet may pay. */
export const ANYONE_PAYS = works('Anyone may pay.');

/** Why an instruction works while the protocol is paused. */
export const WHILE_PAUSED = works(
  'A pause stops only createRuleSet, bindMint, prove, issueTokens and execute.',
);
