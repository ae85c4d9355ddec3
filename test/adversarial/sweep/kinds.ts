/**
 * The kinds of edit of the sweep:
 *
 * | kind | edits |
 * | --- | --- |
 * | drop, double, add, swap, cut | lists: lines, instructions, accounts, bytes, entries |
 * | replace, retype | fields of JSON and of messages |
 * | flip | bytes and flags |
 * | look-alike | text |
 * | repeat | an earlier response |
 * | recall | the state of an operation |
 * | oversize, stall, refuse | whole responses |
 */
import { type Json, UNKNOWN_ADDRESS } from '@service/testing/edits';

export const OTHER_HASH = '9'.repeat(64);
export const SIGNATURE = '2'.repeat(88);
export const OTHER_ID = '00000000-0000-4000-8000-000000000000';

/** Returns another value of the same form, which a schema accepts. */
export function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (value === null) return '1';
  if (Array.isArray(value)) return [{ regions: ['AD'], statuses: ['retail'], minAge: 90 }];
  const text = String(value);
  if (/^[0-9a-f]{64}$/.test(text)) return OTHER_HASH;
  if (/^\d+$/.test(text)) return `${BigInt(text) + 1n}`;
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? UNKNOWN_ADDRESS : 'another';
}

/** Replaces the value of a field, which can be in an object of the response. */
export function replaceField(path: string, change: (value: unknown) => unknown): (json: Json) => Json {
  const [name, ...rest] = path.split('.');
  return (json) => ({
    ...json,
    [name!]:
      rest.length > 0 ? replaceField(rest.join('.'), change)(json[name!] as Json) : change(json[name!]),
  });
}

/** Values that no field of the wire accepts, and a missing one. */
export const RETYPED: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  number: 7,
  list: [],
  object: {},
  empty: '',
};

const { empty: _, ...others } = RETYPED;
/** Values that no text accepts. An empty text is a text, which other checks reject. */
export const NO_TEXT = others;

/** Removes the entry with this index. */
export const drop = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** Repeats the entry with this index. */
export const double = <T>(list: readonly T[], index: number): T[] => [
  ...list.slice(0, index + 1),
  ...list.slice(index),
];

/** Adds an entry before the one with this index. */
export const add = <T>(list: readonly T[], index: number, entry: T): T[] => [
  ...list.slice(0, index),
  entry,
  ...list.slice(index),
];

/** Swaps an entry with the next one. */
export function swap<T>(list: readonly T[], index: number): T[] {
  const swapped = [...list];
  [swapped[index], swapped[index + 1]] = [swapped[index + 1]!, swapped[index]!];
  return swapped;
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
};

/** Replaces one Latin letter by the Cyrillic letter that looks like it. */
export function lookAlike(text: string): string {
  const at = [...text].findIndex((letter) => letter in LOOK_ALIKES);
  return at < 0 ? `${text}\u0430` : text.slice(0, at) + LOOK_ALIKES[text[at]!] + text.slice(at + 1);
}
