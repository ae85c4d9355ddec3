/** Compiles the TypeScript of the pages as one program, against the sources of the packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sources } from '../../../docs/.vitepress/sources.ts';
import { DECLARATIONS } from './names.ts';

const root = join(import.meta.dirname, '../../..');
/** The compiler finds the blocks in this folder, so that their imports resolve to the packages. */
const folder = join(root, 'test/docs/blocks');

/** A block of TypeScript. */
export interface Block {
  readonly page: string;
  /** From 1. */
  readonly number: number;
  readonly code: string;
  readonly language: 'ts' | 'tsx';
}

/** The READMEs, and what is beside them. */
const READMES = ['packages', 'test', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(root, folder, name))
        .filter((file) => file.endsWith('.md'))
        .map((file) => `${folder}/${name}/${file}`),
    ),
);

/** The files with a page on the site, and the READMEs. */
export const PAGES: readonly string[] = [
  ...new Set([
    'README.md',
    'packages/localnet/stand-in-guard-program/README.md',
    'packages/localnet/stand-in-token-acl-program/README.md',
    ...sources().keys(),
    ...READMES,
  ]),
];

/** Returns the code of the TypeScript blocks of a page. */
export function codeOf(page: string): string[] {
  return blocksOf(page).map(({ code }) => code);
}

/** Returns the TypeScript blocks of a page. */
export function blocksOf(page: string): Block[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/```(tsx?)\b.*?\n(.*?)```/gs);
  return [...blocks].map(([, language, code], index) => ({
    page,
    number: index + 1,
    code: code!,
    language: language as Block['language'],
  }));
}

const PREAMBLE = `${DECLARATIONS}
declare module '*.json' {
  const json: unknown;
  export default json;
}
`;

/** The files that blocks import, parsed. They are the same for each call, and take most of its time. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Returns the errors of the compiler in blocks: page, block (from 1), line, message. */
export function compileErrorsIn(blocks: readonly Block[]): string[] {
  const files = new Map([[join(folder, 'preamble.d.ts'), PREAMBLE]]);
  const places = new Map<string, string>();
  for (const { page, number, code, language } of blocks) {
    const name = join(folder, `${page.replaceAll('/', '-')}-${number}.${language}`);
    files.set(name, `${code}\nexport {};\n`);
    places.set(name, `${page} ${number}`);
  }
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const noFiles = { ...config.config, include: [], files: [] };
  const { options } = ts.parseJsonConfigFileContent(noFiles, ts.sys, root);
  Object.assign(options, {
    noUnusedLocals: false,
    resolveJsonModule: false,
    verbatimModuleSyntax: false,
    jsx: ts.JsxEmit.ReactJSX,
  });
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile, directoryExists } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.directoryExists = (name) => name === folder || (directoryExists?.(name) ?? true);
  host.getSourceFile = (name, language, ...more) => {
    const text = files.get(name);
    if (text === undefined) {
      const read = parsed.get(name) ?? getSourceFile(name, language, ...more);
      parsed.set(name, read);
      return read;
    }
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
