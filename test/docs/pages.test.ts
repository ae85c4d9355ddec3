/** Checks that the pages of docs/ match the code. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bindingRecord,
  circuitRecord,
  credentialRecord,
  ERROR_CODES,
  indexRecord,
  passRecord,
  ruleSetRecord,
  verificationRecord,
  verifierRecord,
} from '@service/contract';
import { describe, expect, test } from 'vitest';
import { codeOf } from './support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the quickstart is an example that the tests run', () => {
  const example = read('examples/01-quickstart.ts').replace("import './help.ts';\n", '');
  expect(codeOf('docs/quickstart.md')[0]).toBe(example);
  const lines = example.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line));
  expect(read('docs/quickstart.md')).toContain(`It is ${lines.length} lines of code.`);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.filter((line) => line.length > 110)).toEqual([]);
});

describe('docs/SPEC.md', () => {
  // An addition is a quote after an empty line.
  const given = read('docs/SPEC.md').replaceAll(/\n(?:>.*\n)+/g, '');

  test('is the given text, line for line, without its additions', () => {
    const digest = createHash('sha256').update(given).digest('hex');
    expect(digest).toBe('503f9e8f754f735a4565fa74e9e9462224500b8ccc82f239fef8c65666c85ab9');
  });

  test.each(
    Object.entries({
      Credential: credentialRecord,
      Pass: passRecord,
      RuleSet: ruleSetRecord,
      Binding: bindingRecord,
      Verifier: verifierRecord,
      Circuit: circuitRecord,
      Index: indexRecord,
      Verification: verificationRecord,
    }),
  )('names the fields of %s', (name, { shape }) => {
    const fields = Object.keys(shape).map((field) => `\`${field}\``);
    expect(read('docs/SPEC.md')).toContain(`> | ${name} | ${fields.join(', ')} |`);
  });

  test('adds each code that the given text does not have', () => {
    const added = Object.entries(ERROR_CODES).filter(([code]) => !given.includes(`| ${code} |`));
    const rows = read('docs/SPEC.md').match(/^> \| [A-Z_]+ \| \d{3} .*$/gm);
    expect(rows?.sort()).toEqual(
      added.map(([code, { status, meaning }]) => `> | ${code} | ${status} | ${meaning} |`).sort(),
    );
  });
});

test('the page about React names every hook', () => {
  const hooks = read('packages/sdk/src/react/index.ts').match(/\buse[A-Z]\w*/g);
  const named = read('packages/sdk/docs/react.md').match(/\buse[A-Z]\w*/g);
  expect(new Set(hooks?.filter((hook) => !named?.includes(hook)))).toEqual(new Set());
  expect(hooks).toContain('useGrant');
});

test('the test of a dApp on the page is one that the tests run', () => {
  expect(codeOf('packages/sdk/docs/testing.md')[0]).toBe(read('test/docs/dapp.test.ts'));
});

test('the check of a pass on the page is that of the example program', () => {
  const source = read('examples/programs/vault-pinocchio/src/admit.rs');
  const check = source.match(/\/\/ #region admit\n(.*)\/\/ #endregion admit/s)?.[1];
  expect(read('examples/programs/README.md')).toContain(`\`\`\`rust\n${check}\`\`\``);
});
