/** Cases of data that several instructions have in common. */
import type { Instruction } from '@solana/kit';
import { allowed, type DataCase, type Expectation, notTested } from './row.ts';

const text = (value: string) => new TextEncoder().encode(value);

/** Names that the program rejects, as bytes. */
const BAD_NAMES: readonly (readonly [what: string, name: Uint8Array])[] = [
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
  ['with a mark that reverses text', text('a\u202eb')],
  ['with a zero-width space', text('a\u200bb')],
  ['with an emoji mark after a letter', text('a\ufe0f')],
  ['a space', text(' ')],
  ['with a wide space at its end', text('a\u3000')],
];

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

export function valuesOf<Change, Name extends keyof Change & string>(
  make: (change?: Change) => ReturnType<Make<Change>>,
  argument: Name,
  values: readonly (readonly [Exclude<Change[Name], undefined>, Expectation])[],
): DataCase[] {
  const caseOf = casesOf((value: Change[Name]) => make({ [argument]: value } as unknown as Change));
  return values.map(([value, expected]) => caseOf(`is ${value ?? 'none'}`, value, expected));
}

/** Returns a case that changes the data of the scene's instruction. */
export const withChange = (
  what: string,
  expected: Expectation,
  data: NonNullable<DataCase['data']>,
): DataCase => ({ what, expected, data });

/** Returns a case that changes one bit of what the verifier signed. */
export const changedAfterSigning = (offset: number) =>
  withChange('is not the value that was signed', 'CREDENTIAL_SIGNATURE_INVALID', (data) =>
    data.with(offset, data[offset]! ^ 1),
  );

/** Returns cases of a truth value at an offset of the data. Only 0 and 1 are valid. */
export const flagAt = (offset: number) =>
  [2, 128, 255].map((value) =>
    withChange(`is ${value}`, 'INVALID_INSTRUCTION_DATA', (data) => data.with(offset, value)),
  );

/** Returns cases of a name after its length, which is at an offset of the data. */
export function prefixedNameAt(offset: number): DataCase[] {
  const put = (name: Uint8Array) => (data: Uint8Array) => [
    ...data.slice(0, offset),
    name.length,
    ...name,
    ...data.slice(offset + 1 + data[offset]!),
  ];
  const limits = allowed('A name has 1 to 32 bytes.');
  return [
    ...[1, 32].map((length) => withChange(`has ${length} bytes`, limits, put(text('a'.repeat(length))))),
    ...BAD_NAMES.map(([what, name]) => withChange(`is ${what}`, 'NAME_INVALID', put(name))),
    withChange('is longer than the data', 'INVALID_INSTRUCTION_DATA', (data) => data.with(offset, 255)),
  ];
}

/** Returns cases of a name of 32 bytes, padded with zeros, at an offset of the data. */
export function paddedNameAt(offset: number): DataCase[] {
  // It has no length, so a name that is too long or ends in zeros cannot be written.
  const writable = BAD_NAMES.filter(([what, name]) => name.length <= 32 && what !== 'with a zero at its end');
  return writable.map(([what, name]) =>
    withChange(`is ${what}`, 'NAME_INVALID', (data) => {
      data.fill(0, offset, offset + 32).set(name, offset);
      return data;
    }),
  );
}

/** An argument of which every value is valid. */
export const ANY_VALUE = notTested(
  'Every value of its size is valid: the program only stores it or checks that it is signed.',
);
/** The reason why an unrelated wallet may pay. */
export const ANYONE_PAYS = allowed('Anyone may pay.');
/** The reason why an instruction works while the protocol is paused. */
export const WHILE_PAUSED = allowed(
  'A pause stops only createRuleSet, bindMint, setGate, prove, grantPass, issueTokens, canThaw, recover, redeem and execute.',
);
