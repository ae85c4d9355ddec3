/** Checks the Markdown files that people read in the repository: their commands, their links and their size. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { slugOf } from '../../docs/.vitepress/links.ts';
import { PAGES } from './support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'test/README.md',
  'test/audit/README.md',
  ...PAGES,
];
const scriptsOf = (folder: string): object => JSON.parse(read(posix.join(folder, 'package.json'))).scripts;
const folders = ['packages', 'examples'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
);
const packages = new Map(
  folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => [JSON.parse(read(`${folder}/package.json`)).name as string, folder]),
);

test.each(files)('the commands in %s exist', (file) => {
  const text = read(file);
  const missing = [...text.matchAll(/npm run (?:-s )?([\w:-]+)(?: -w ([\w@/-]+))?/g)].filter(
    ([, script, name]) => !(script! in scriptsOf(name ? packages.get(name)! : '')),
  );
  expect(missing.map(([command]) => command)).toEqual([]);
  const paths = [...text.matchAll(/(?:npx tsx|node --import tsx) ([\w./-]+\/[\w./-]+)/g)];
  expect(paths.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(files)('the links of %s exist', (file) => {
  const missing = linksOf(file).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path));
    if (!existsSync(join(root, target))) return true;
    const page = statSync(join(root, target)).isDirectory() ? posix.join(target, 'README.md') : target;
    return anchor !== undefined && page.endsWith('.md') && !anchorsOf(page).includes(anchor);
  });
  expect(missing).toEqual([]);
});

const withoutCode = (text: string) =>
  text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/<!--[\s\S]*?-->/g, '');

/** Returns the links of a file to other files, and to its own anchors. */
function linksOf(file: string): string[] {
  const links = withoutCode(read(file)).matchAll(/\]\(([^()\s]+)\)/g);
  return [...links].map(([, link]) => link!).filter((link) => !/^[a-z]+:/i.test(link));
}

function anchorsOf(file: string): string[] {
  return [...withoutCode(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    slugOf(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
}

describe('README.md', () => {
  const readme = read('README.md');

  it('shows code by line 25', () => {
    expect(readme.split('\n').indexOf('```ts')).toBeLessThan(25);
  });

  it('has at most 20 links in "Read", and no path of a source file in a command', () => {
    const [, section = ''] = /^## Read$(.*?)^## /ms.exec(readme) ?? [];
    const links = [...section.matchAll(/\]\(/g)];
    expect(links.length).toBeGreaterThan(10);
    expect(links.length).toBeLessThanOrEqual(20);
    expect(readme).not.toMatch(/(npx|node|npm run) [^\n`]*\.(ts|js)\b/);
  });
});

describe('CONTRIBUTING.md', () => {
  const text = read('CONTRIBUTING.md');

  it('has at most 900 words', () => {
    expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
  });

  it('names folders and files that exist', () => {
    const paths = [...text.matchAll(/`((?:packages|docs|test|examples)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the minimal example in React has at most 300 lines', () => {
  const folder = 'examples/react-minimal/src';
  const lines = readdirSync(join(root, folder)).map(
    (name) => read(`${folder}/${name}`).split('\n').length - 1,
  );
  expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(300);
});
