/** Compiles the TypeScript of the pages as one program, against the sources of the packages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
/** The compiler finds the blocks in this folder, so that their imports resolve to the packages. */
const folder = join(root, 'test/docs/blocks');

/** Returns the TypeScript blocks of a page. */
export function codeOf(page: string): string[] {
  return blocksOf(page).map(({ code }) => code);
}

function blocksOf(page: string): { code: string; language: 'ts' | 'tsx' }[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/```(tsx?)\b.*?\n(.*?)```/gs);
  return [...blocks].map(([, language, code]) => ({ code: code!, language: language as 'ts' | 'tsx' }));
}

/** Declares the names that a block may use without declaring them, such as the dApp's client. */
const PREAMBLE = `
declare const deployment: import('@service/sdk').Deployment;
declare const client: import('@service/sdk').ServiceClient;
declare const wallet: import('@solana/kit').KeyPairSigner;
declare const holder: typeof wallet;
declare const issuer: typeof wallet;
declare const witness: import('@service/sdk').Witness;
declare const operationId: string;
declare const rule: import('@solana/kit').Address;
declare const mint: typeof rule;
declare const source: typeof rule;
declare const destination: typeof rule;
declare const server: import('msw/node').SetupServer;
// A wallet of the Wallet Standard with an account, and the same through the hook of wallet-adapter.
interface Standard { name: string; features: Record<string, unknown>; accounts: readonly Account[] }
interface Account { address: string; features: readonly \`\${string}:\${string}\`[] }
declare const standard: Standard;
declare const chosen: Standard;
declare const account: Account;
declare const uiAccount: import('@wallet-standard/ui').UiWalletAccount;
declare function useWallet(): { wallet: { adapter: { name: string } | { standard: true; wallet: Standard } } | null };
declare const device: Record<'signBytes' | 'signWire', (bytes: Uint8Array) => Promise<Uint8Array>>;
declare module '*.json' {
  const json: unknown;
  export default json;
}
`;

/** Returns the errors of the compiler in the blocks of pages: page, block (from 1), line, message. */
export function compileErrorsIn(pages: readonly string[]): string[] {
  const files = new Map([[join(folder, 'preamble.d.ts'), PREAMBLE]]);
  const places = new Map<string, string>();
  for (const page of pages) {
    for (const [index, { code, language }] of blocksOf(page).entries()) {
      const name = join(folder, `${page.replaceAll('/', '-')}-${index + 1}.${language}`);
      files.set(name, `${code}\nexport {};\n`);
      places.set(name, `${page} ${index + 1}`);
    }
  }
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const noFiles = { ...config.config, include: [], files: [] };
  const { options } = ts.parseJsonConfigFileContent(noFiles, ts.sys, root);
  Object.assign(options, { noUnusedLocals: false, resolveJsonModule: false, jsx: ts.JsxEmit.ReactJSX });
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile, directoryExists } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.directoryExists = (name) => name === folder || (directoryExists?.(name) ?? true);
  host.getSourceFile = (name, language, ...more) => {
    const text = files.get(name);
    if (text === undefined) return getSourceFile(name, language, ...more);
    return ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)!;
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(({ start = 0, messageText }) => {
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      return `${places.get(name) ?? 'preamble'}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}
