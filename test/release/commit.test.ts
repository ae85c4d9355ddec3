/** The packages of a release come from its commit alone. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { releasedCommit } from '../../scripts/release/commit.ts';

let checkout: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
    cwd: checkout,
    encoding: 'utf8',
  }).trim();
const write = (name: string, text: string) => writeFile(join(checkout, name), text);

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'commit-'));
  git('init', '--quiet');
  await write('.gitignore', 'dist\n');
  await write('source.ts', '1');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});
afterEach(() => rm(checkout, { recursive: true }));

it('needs the tag of its version', () => {
  git('tag', 'v0.1.0');
  expect(() => releasedCommit(checkout, '0.2.0')).toThrow('does not have the tag v0.2.0');
  git('tag', 'v0.2.0');
  expect(releasedCommit(checkout, '0.2.0')).toBe(git('rev-parse', 'HEAD'));
});

it('is refused beside changes and new files, which would be packed, and not beside what the builds write', async () => {
  git('tag', 'v0.1.0');
  await write('dist', 'built');
  expect(releasedCommit(checkout, '0.1.0')).toBe(git('rev-parse', 'HEAD'));
  await write('new.ts', '2');
  git('config', 'status.showUntrackedFiles', 'no');
  expect(() => releasedCommit(checkout, '0.1.0')).toThrow('new.ts');
  await rm(join(checkout, 'new.ts'));
  await write('source.ts', '3');
  expect(() => releasedCommit(checkout, '0.1.0')).toThrow('source.ts');
});
