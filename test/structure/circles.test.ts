/** No circle among packages: a package can be built, tested and understood after those that it names. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'packages'];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** The packages that each one names in package.json, development dependencies included, or imports anywhere, also in a test. */
const needs = new Map(
  files
    .filter((file) => /^packages\/[^/]+\/package\.json$/.test(file))
    .map((manifest) => {
      const { name, dependencies, devDependencies, peerDependencies } = JSON.parse(read(manifest));
      const named = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      const imported = files.filter((file) => file.startsWith(`${dirname(manifest)}/`)).flatMap(importsOf);
      const own = [...named, ...imported].filter((each) => each.startsWith('@service/') && each !== name);
      return [name as string, new Set(own)];
    }),
);

function importsOf(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return [];
  const { importedFiles } = ts.preProcessFile(read(file));
  return importedFiles.map(({ fileName }) => fileName.split('/', 2).join('/'));
}

/** Returns a circle that is reached from a package, as the names on its way, or null. */
function circleFrom(name: string, way: readonly string[] = []): readonly string[] | null {
  if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
  for (const next of needs.get(name) ?? []) {
    const found = circleFrom(next, [...way, name]);
    if (found) return found;
  }
  return null;
}

it('packages form no circle, development dependencies included: test in test/ what needs more', () => {
  const circle = [...needs.keys()].map((name) => circleFrom(name)).find((found) => found !== null);
  expect(circle?.join(' → ')).toBeUndefined();
});
