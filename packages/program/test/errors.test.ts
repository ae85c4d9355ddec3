/** The enum in error.rs is the only list of the errors; what is generated from it must be current. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errors, readErrors, withErrorTable } from '../idl/errors.ts';
import idl from '../idl.json' with { type: 'json' };

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the IDL has the errors of error.rs', () => {
  expect(idl.program.errors).toEqual(errors);
});

it('the README has the errors of error.rs', () => {
  expect(withErrorTable(readme)).toBe(readme);
  expect(readme.match(/^\| 6\d{3} \| `[A-Z0-9_]+` \| .+ \|$/gm)).toHaveLength(errors.length);
});

it.each([
  ['without a comment', 'First = 6000,'],
  ['with a number of its own', '/// First.\n    First = 6000,\n    /// Second.\n    Second = 7000,'],
  ['with another first number', '/// First.\n    First = 5000,'],
])('throws on an error %s', (_what, variants) => {
  expect(() => readErrors(`pub enum Error {\n    ${variants}\n}\n`)).toThrow(/First|Second/);
});
