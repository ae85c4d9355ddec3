/** The errors are written in three places for three readers: here they are held to one list. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import idl from '../idl.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const listed = idl.program.errors.map(({ code, name, message }) => ({ code, name, message }));

it('has in error.rs the errors of the IDL, in order, with their meanings', () => {
  const declared = [...read('../src/error.rs').matchAll(/^ {4}\/\/\/ (.*)\.\n {4}(\w+)(?: = \d+)?,$/gm)];
  const errors = declared.map(([, message, name], index) => ({
    code: 6000 + index,
    name: name!.charAt(0).toLowerCase() + name!.slice(1),
    message,
  }));

  expect(errors).toEqual(listed);
});

it('has in the README the errors of the IDL', () => {
  const rows = [...read('../README.md').matchAll(/^\| (6\d{3}) \| (\w+) \| (.*) \|$/gm)];

  expect(rows.map(([, code, name, message]) => ({ code: Number(code), name, message }))).toEqual(listed);
});
