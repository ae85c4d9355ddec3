/** Checks that the pages of docs/ match the code. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '@service/contract';
import { withDiagrams } from '@service/contract/state-diagrams';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Case } from '../adversarial/cases/case.ts';
import { PAGES_WITH_TABLES, withTable } from '../wallets/tables.ts';
import { codeOf } from './support/code-blocks.ts';
import { clientErrorCodes, errorsPage } from './support/errors-page.ts';
import { wirePage } from './support/wire-page.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const codes = new Set<string>([...Object.keys(ERROR_CODES), ...clientErrorCodes()]);

test('the quickstart is an example that the tests run', () => {
  const example = read('examples/01-quickstart.ts').replace("import './help.ts';\n", '');
  expect(codeOf('docs/quickstart.md')[0]).toBe(example);
  const lines = example.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line));
  expect(read('docs/quickstart.md')).toContain(`It is ${lines.length} lines of code.`);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
});

test('the page of the error codes is current', () => {
  expect(read('packages/sdk/docs/errors.md'), 'run npm run docs:errors').toBe(errorsPage());
});

test('the page of the wire format is current', () => {
  expect(read('docs/wire.md'), 'run npm run docs:wire').toBe(wirePage());
});

describe('docs/SPEC.md', () => {
  // An addition is a quote after an empty line.
  const given = read('docs/SPEC.md').replaceAll(/\n(?:>.*\n)+/g, '');

  test('is the given text, line for line, without its additions', () => {
    const digest = createHash('sha256').update(given).digest('hex');
    expect(digest).toBe('503f9e8f754f735a4565fa74e9e9462224500b8ccc82f239fef8c65666c85ab9');
  });

  test('adds each code that the given text does not have', () => {
    const added = Object.entries(ERROR_CODES).filter(([code]) => !given.includes(`| ${code} |`));
    const rows = read('docs/SPEC.md').match(/^> \| [A-Z_]+ \| \d{3} .*$/gm);
    expect(rows?.sort()).toEqual(
      added.map(([code, { status, meaning }]) => `> | ${code} | ${status} | ${meaning} |`).sort(),
    );
  });
});

test('the test of a dApp on the page is one that the tests run', () => {
  expect(codeOf('packages/sdk/docs/testing.md')[0]).toBe(read('test/docs/dapp.test.ts'));
});

test('the state diagrams match the contract', () => {
  const page = read('docs/operations.md');
  expect(withDiagrams(page), 'run npm run docs:states').toBe(page);
});

test.each(Object.entries(PAGES_WITH_TABLES))('the table of wallets in %s is current', (path, has) => {
  expect(withTable(read(path), has), 'run npm run docs:wallets').toBe(read(path));
});

describe('docs/misuse.md', () => {
  const rows = read('docs/misuse.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| misuse'))
    .map((line) => line.slice(2, -2).split(' | '));
  const compiled = rows.filter((row) => row.length === 2);
  const coded = rows.filter((row) => row.length === 4);

  test('names exactly the misuses that the compiler rejects', () => {
    const refused = [...read('test/package/types/misuse.ts').matchAll(/@ts-expect-error (.+)/g)];
    expect(compiled.map(([, why]) => why).sort()).toEqual(refused.map(([, why]) => why).sort());
  });

  test('has only rows of these two kinds', () => {
    expect(compiled.length + coded.length).toBe(rows.length);
    expect(coded.length).toBeGreaterThan(12);
  });

  test.each(coded)('%s: %s', async (_misuse, code = '', file = '', text = '') => {
    const [name, path] = [code.replaceAll('`', ''), file.replaceAll('`', '')];
    expect(codes).toContain(name);
    if (path.startsWith('test/adversarial/cases/')) {
      const cases = (await casesIn(path)).filter(({ id }) => id === text);
      expect(cases.map((each) => each.code)).toEqual([name]);
    } else {
      const isAbout = (body: string) => body.includes(text) && body.includes(`'${name}'`);
      expect(testsIn(path).some(isAbout)).toBe(true);
    }
  });
});

/** Returns the cases that a file of adversarial cases exports. */
async function casesIn(path: string): Promise<Case[]> {
  const exported: Record<string, readonly Case[]> = await import(join(root, path));
  return Object.values(exported).flat();
}

/** Returns the source of each test in a file, with its name and its table. */
function testsIn(path: string): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && /^(it|test)\b/.test(node.getText())) found.push(node.getText());
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
