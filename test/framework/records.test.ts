import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Artifact } from '../../scripts/artifacts.ts';
import { differencesOf, recordOf } from '../../scripts/records.ts';

const ARTIFACT: Artifact = {
  name: 'program',
  inputs: ['src', 'Cargo.lock'],
  packages: ['compiler'],
  outputs: ['program.so'],
  record: 'program.sha256',
  build: 'build',
  compare: ['compare'],
};
let root: string;
/** The record of the files of `beforeEach`. */
let record: string | undefined;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'records-'));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
});
beforeEach(() => {
  for (const name of readdirSync(root)) if (name !== '.git') rmSync(join(root, name), { recursive: true });
  write('src/lib.rs', 'one');
  write('Cargo.lock', 'locked');
  write('program.so', 'built');
  lock({ version: '1.0.0', integrity: 'sha512-one', dependencies: { part: '^1.0.0' } }, 'sha512-part');
  record ??= recordOf(ARTIFACT, root);
  write(ARTIFACT.record, record);
});
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Writes a lock file in which the compiler has a dependency of its own. */
function lock(compiler: object, integrity: string): void {
  const part = { version: '1.2.0', integrity };
  const packages = { 'node_modules/compiler': compiler, 'node_modules/compiler/node_modules/part': part };
  write('package-lock.json', JSON.stringify({ packages }));
}

it('finds no difference in files that did not change', () => {
  expect(differencesOf(ARTIFACT, root)).toEqual([]);
});

it('finds changed code of TypeScript, and no changed comment or type', () => {
  write('src/build.ts', 'const one: number = 1; build(one);');
  write(ARTIFACT.record, recordOf(ARTIFACT, root));
  write('src/build.ts', '/** Says why. */\nconst one: 1 = 1;\nbuild(one);');
  expect(differencesOf(ARTIFACT, root)).toEqual([]);
  write('src/build.ts', 'const one: number = 2; build(one);');
  expect(differencesOf(ARTIFACT, root)).toEqual(['src/build.ts changed']);
});

it('finds each change of an output, also a comment', () => {
  const artifact = { ...ARTIFACT, outputs: ['generated.ts'] };
  write('generated.ts', 'export const code = 1;');
  write(ARTIFACT.record, recordOf(artifact, root));
  write('generated.ts', '/** By hand. */\nexport const code = 1;');
  expect(differencesOf(artifact, root)).toEqual(['generated.ts changed']);
});

it.each<[string, () => void, string[]]>([
  ['a changed source', () => write('src/lib.rs', 'two'), ['src/lib.rs changed']],
  ['a new source', () => write('src/new.rs', 'new'), ['src/new.rs is new']],
  ['a changed lock file', () => write('Cargo.lock', 'other'), ['Cargo.lock changed']],
  ['a changed output', () => write('program.so', 'other'), ['program.so changed']],
  [
    'a record without a line',
    () => write(ARTIFACT.record, ''),
    expect.arrayContaining(['program.so is new']),
  ],
  ['a missing record', () => rmSync(join(root, ARTIFACT.record)), ['program.sha256 does not exist']],
])('finds %s', (_what, change, expected) => {
  change();
  expect(differencesOf(ARTIFACT, root)).toEqual(expected);
});

it('finds a source that was removed', () => {
  write('src/second.rs', 'second');
  write(ARTIFACT.record, recordOf(ARTIFACT, root));
  rmSync(join(root, 'src/second.rs'));
  expect(differencesOf(ARTIFACT, root)).toEqual(['src/second.rs was removed']);
});

it('finds another version of a dependency of a package that builds the artifact', () => {
  lock({ version: '1.0.0', integrity: 'sha512-one', dependencies: { part: '^1.0.0' } }, 'sha512-other');
  expect(differencesOf(ARTIFACT, root)).toEqual(['node_modules/compiler/node_modules/part@1.2.0 changed']);
});

it.each([
  ['an input', () => rmSync(join(root, 'Cargo.lock')), 'No file matches Cargo.lock'],
  ['an output', () => rmSync(join(root, 'program.so')), 'No file matches program.so'],
  ['a package', () => lock({ version: '1.0.0' }, ''), 'does not pin compiler'],
])('throws without %s', (_what, change, message) => {
  change();
  expect(() => differencesOf(ARTIFACT, root)).toThrow(message);
});
