/** Checks that what the audit package names exists: files, tests by their names, and commits. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('test/audit/README.md');
const invariants = [...page.matchAll(/^\| [^|]+ \| `([^`|]+\.test\.ts)` \| ([^|]+) \|$/gm)].map(
  ([, file, name]) => ({ file: file!, name: name! }),
);

it('names many invariants', () => expect(invariants.length).toBeGreaterThan(40));

it.each(invariants)('$file has the test "$name"', ({ file, name }) => {
  expect(namesIn(file)).toContain(name);
});

it('names files and folders that exist', () => {
  const paths = [...page.matchAll(/`((?:packages|test|docs|examples|scripts)\/[\w./-]+)`/g)].map(
    ([, path]) => path!,
  );
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('names commits of this repository, if it has its history', () => {
  const commits = [...page.matchAll(/`([0-9a-f]{8})`/g)].map(([, commit]) => commit!);
  expect(commits.length).toBeGreaterThan(10);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return;
  const known = git('rev-list', 'HEAD').split('\n');
  expect(commits.filter((commit) => !known.some((each) => each.startsWith(commit)))).toEqual([]);
});

/** Returns the names of the tests and groups in a file, as its source has them, with `\'` resolved. */
function namesIn(file: string): string[] {
  // A name is the first argument of a test, also of one with each or with conditions before it, on the same line or the next.
  const named = /\b(?:test|it|describe)\b[^'"`\n]*(?:\n\s*)?(['"`])((?:\\.|(?!\1).)+)\1/g;
  const constants = /\bconst name = (['"])((?:\\.|(?!\1).)+)\1;/g;
  const ofRows = /^\s*\[?\s*(['"])((?:\\.|(?!\1).)+)\1,/gm;
  const ofEach = /\)\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g;
  const text = read(file);
  return [named, constants, ofRows, ofEach].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, , name]) => name!.replaceAll(/\\(.)/g, '$1')),
  );
}
