/** Rules of imports between packages. A failure lists the places to change. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const code = files.filter(
  (file) => /\.(ts|rs|circom)$/.test(file) && !/\/(generated|artifacts)\//.test(file),
);

it('no file imports a file of another package by path: import it by the name of its package', () => {
  const packageOf = (path: string) => /^packages\/[^/]+/.exec(path)?.[0];
  const crossing = code.flatMap((file) =>
    relativeImports(file)
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => packageOf(target) !== undefined && packageOf(target) !== packageOf(file))
      .map((target) => `${file} imports ${target}`),
  );
  expect(crossing).toEqual([]);
});

it('no package imports a package that its package.json does not name', () => {
  const ofRepository = Object.keys(JSON.parse(read('package.json')).devDependencies);
  const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  const undeclared = manifests.flatMap((manifest) => {
    const { name, ...fields } = JSON.parse(read(manifest));
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = fields;
    const kinds = [dependencies, devDependencies, optionalDependencies, peerDependencies];
    const known = new Set([name, ...ofRepository, ...kinds.flatMap((kind) => Object.keys(kind ?? {}))]);
    return code
      .filter((file) => file.startsWith(`${dirname(manifest)}/`))
      .flatMap((file) => packageImports(file).map((wanted) => ({ file, wanted })))
      .filter(({ wanted }) => !known.has(wanted))
      .map(({ file, wanted }) => `${file} imports ${wanted}`);
  });
  expect(undeclared).toEqual([]);
});

function importsOf(file: string): string[] {
  if (!file.endsWith('.ts')) return [];
  return ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName);
}

const relativeImports = (file: string) => importsOf(file).filter((specifier) => specifier.startsWith('.'));

/** Returns the names of the packages that a file imports, without those of Node. */
function packageImports(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => !/^(?:\.|#|node:)/.test(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}
