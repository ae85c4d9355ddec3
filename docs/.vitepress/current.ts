/** Says whether the built site is of the present sources, so that tests need not build it again. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { base, root, site, sources } from './sources.ts';

const FOLDERS = [
  'docs/.vitepress',
  'docs/public',
  ...['contract', 'protocol', 'sdk', 'testing'].map((name) => `packages/${name}/src`),
];
const FILES = [
  'bench/results.json',
  'bench/src/results.ts',
  'docs/every-export.js',
  'docs/tsconfig.json',
  'package-lock.json',
  'typedoc.json',
];

/** Returns a digest of everything that the site is built from. */
export function digestOfSources(): string {
  const made = /(^|\/)(\.temp|cache|pages)(\/|$)/;
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter(
        (path) => !path.startsWith('docs/.vitepress') || !made.test(path.slice('docs/.vitepress'.length)),
      ),
  );
  const hash = createHash('sha256').update(base);
  for (const path of [...FILES, ...below, ...sources().keys()].sort()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

const mark = join(site, '.sources');

/** Returns whether docs/site is built from the present sources. */
export function siteIsCurrent(): boolean {
  return existsSync(mark) && readFileSync(mark, 'utf8') === digestOfSources();
}

/** Marks docs/site with the digest of its sources: the digest before the build, in case a file changed meanwhile. */
export function markSite(digest: string): void {
  writeFileSync(mark, digest);
}
