/** The examples in the docstrings of the packages that dApps install, as blocks of code with their imports. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { exportedNames } from '../../support/exported-names.ts';
import type { Block } from './code-blocks.ts';

const root = join(import.meta.dirname, '../../..');

/** The entries whose names an example may use without an import. */
const ENTRIES: Readonly<Record<string, string>> = {
  '@service/sdk': 'packages/sdk/src/index.ts',
  '@service/sdk/chain': 'packages/sdk/src/chain/index.ts',
  '@service/sdk/node': 'packages/sdk/src/node/index.ts',
  '@service/sdk/query': 'packages/sdk/src/query/index.ts',
  '@service/sdk/react': 'packages/sdk/src/react/index.ts',
  '@service/testing': 'packages/testing/src/index.ts',
  '@service/testing/msw': 'packages/testing/src/msw/index.ts',
};

/** The names of other packages that examples use without an import. */
const OTHERS: Readonly<Record<string, string>> = {
  QueryClientProvider: '@tanstack/react-query',
  createSolanaRpc: '@solana/kit',
  expect: 'vitest',
  generateKeyPair: '@solana/kit',
  readFile: 'node:fs/promises',
  setupServer: 'msw/node',
  useMutation: '@tanstack/react-query',
  useQuery: '@tanstack/react-query',
  writeFile: 'node:fs/promises',
};

/** The types of what an example may use besides the names of the pages. */
const GIVEN: Readonly<Record<string, string>> = {
  App: '() => null',
  context: "import('@service/sdk').EligibilityContext",
  queryClient: "import('@tanstack/react-query').QueryClient",
  request: "import('@service/sdk').TransferRequest",
  rpc: "import('@solana/kit').Rpc<import('@solana/kit').SolanaRpcApi>",
  url: 'string',
};

/** Returns the examples in the docstrings of the SDK and the test tools. */
export function docstringExamples(): Block[] {
  const origins = new Map([
    ...Object.entries(ENTRIES).flatMap(([from, file]) =>
      exportedNames(join(root, file)).map((name): [string, string] => [name, from]),
    ),
    ...Object.entries(OTHERS),
  ]);
  const folders = ['packages/sdk/src', 'packages/testing/src', 'packages/contract/src'];
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap((page) =>
      examplesIn(readFileSync(join(root, page), 'utf8')).map((example, index) => ({
        page,
        number: index + 1,
        code: `${preambleOf(example, origins)}${example}`,
        language: /<\w+/.test(example.replaceAll(/\w<\w/g, '')) ? 'tsx' : 'ts',
      })),
    );
}

/** Returns the public methods of a class whose docstrings have no example. Throws if there is no such class. */
export function methodsWithoutExample(file: string, name: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = source.statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === name);
  if (!found) throw new Error(`${file} has no class ${name}`);
  return (found as ts.ClassDeclaration).members
    .filter((member) => ts.isMethodDeclaration(member) && !ts.isPrivateIdentifier(member.name))
    .filter((method) => ts.getJSDocTags(method).every(({ tagName }) => tagName.text !== 'example'))
    .map((method) => method.name!.getText(source));
}

function examplesIn(source: string): string[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap(([comment]) => {
    const lines = comment.replace(/\s*\*\/$/, '').split('\n');
    const text = lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n');
    const tags = text.split(/^(?=@\w)/m);
    return tags.filter((tag) => /^@example\n/.test(tag)).map((tag) => tag.slice('@example\n'.length));
  });
}

/** Returns an import or a declaration for each known name that an example uses and does not import or declare. */
function preambleOf(code: string, origins: ReadonlyMap<string, string>): string {
  const used = new Set(code.match(/[A-Za-z_]\w*/g));
  const isOpen = (name: string) =>
    used.has(name) && !new RegExp(`import .*\\b${name}\\b|const (?:\\{[^}]*)?\\b${name}\\b`).test(code);
  const imports = [...origins].filter(([name]) => isOpen(name));
  const given = Object.entries(GIVEN).filter(([name]) => isOpen(name));
  return [
    ...imports.map(([name, from]) => `import { ${name} } from '${from}';\n`),
    ...given.map(([name, type]) => `declare const ${name}: ${type};\n`),
  ].join('');
}
