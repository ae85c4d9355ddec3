/** Spoils one field of an RPC result. */

/** The values that replace a field. `undefined` removes it. */
export const SPOILT: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  'a text': 'text',
  'a number with a fraction': 1.5,
  'not a number': Number.NaN,
  'a negative number': -1,
  'a huge number': 2n ** 63n,
  'a long text': 'x'.repeat(20_000),
  'an empty array': [],
  'an empty object': {},
  true: true,
};

/** The path to a field. An empty path is the whole result. */
export type Path = readonly string[];

/** Fields that the client does not read. They are spoilt only as a whole. */
const UNREAD = /^(pre|post)|^(status|logMessages|innerInstructions|loadedAddresses|rewards|returnData)$/;

/** Returns the paths of a result and of everything in it. Of a list, only the first and the last entry. */
export function pathsOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const keys = Object.keys(value);
  const some = Array.isArray(value) ? [...new Set([...keys.slice(0, 1), ...keys.slice(-1)])] : keys;
  return [
    [],
    ...some.flatMap((key) =>
      (UNREAD.test(key) ? [[]] : pathsOf((value as Record<string, unknown>)[key])).map((path) => [
        key,
        ...path,
      ]),
    ),
  ];
}

/** Returns a copy of a result with another value at a path. */
export function spoil(value: unknown, [key, ...rest]: Path, spoilt: unknown): unknown {
  if (key === undefined) return spoilt;
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  if (rest.length === 0 && spoilt === undefined) {
    // JSON has no arrays with holes.
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else copy[key] = spoil(copy[key], rest, spoilt);
  return copy;
}
