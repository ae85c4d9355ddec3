/** Changed copies of a JSON value: each field missing, of another type, or one level deeper. */

type Path = readonly string[];

/** A copy, and what was changed. */
export interface Mutation {
  readonly what: string;
  readonly changed: unknown;
}

const CHANGES: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['missing', () => undefined],
  ['null', () => null],
  [
    'of another type',
    (value) => (typeof value === 'string' ? 7 : typeof value === 'number' ? `${value}` : 'text'),
  ],
  ['empty', (value) => (Array.isArray(value) ? [] : typeof value === 'object' ? {} : '')],
  ['true', () => true],
  ['in an object', (value) => ({ value })],
  ['in a list', (value) => [value]],
  ['twice in a list', (value) => (Array.isArray(value) ? [...value, ...value] : [value, value])],
];

/** Returns each change of each field alone, and 200 random pairs of changes. The same value always gives the same ones. */
export function mutationsOf(json: unknown): readonly Mutation[] {
  const single = pathsOf(json).flatMap((path) =>
    CHANGES.map(([how, change]) => ({ path, how, value: change(valueAt(json, path)) })),
  );
  const random = seeded(35);
  const pairs = Array.from({ length: 200 }, () =>
    [random(single.length), random(single.length)].map((i) => single[i]!),
  );
  return [...single.map((one) => [one]), ...pairs].map((changes) => ({
    what: changes.map(({ path, how }) => `${path.join('.')} ${how}`).join(', '),
    changed: changes.reduce((changed, { path, value }) => setAt(changed, path, value), json),
  }));
}

/** Returns a copy with another value at a path. Undefined removes it. A path that does not exist is created in objects only. */
export function setAt(json: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(json)) {
    const index = Number(key);
    return json.flatMap((item, at) =>
      at === index ? [setAt(item, rest, value)].filter((x) => x !== undefined) : [item],
    );
  }
  if (typeof json !== 'object' || json === null) return json;
  return { ...json, [key]: setAt((json as Record<string, unknown>)[key] ?? {}, rest, value) };
}

function pathsOf(json: unknown): readonly Path[] {
  if (typeof json !== 'object' || json === null) return [[]];
  const below = Object.entries(json).flatMap(([key, value]) => pathsOf(value).map((path) => [key, ...path]));
  return [[], ...below];
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], json);
}

/** Returns a generator of whole numbers below a limit (mulberry32). */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
