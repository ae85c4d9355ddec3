/** Generates a client by each tool in a temporary folder, compiles it, and loads it. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient as generateHeyApi } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { generateSource as generateOazapfts } from 'oazapfts';
import generateTypes, { astToString } from 'openapi-typescript';
import { generate as generateCodegen } from 'openapi-typescript-codegen';
import ts from 'typescript';
import type { Done, Site, Wallet } from './clients/site.ts';

/** The clients in `clients` that run on their own, by the tool that generates their code. */
export const TOOLS = ['openapi-typescript', 'hey-api', 'oazapfts'] as const;

/** All clients in `clients`. The last one takes its `fetch` from a page. */
export const COMPILED = [...TOOLS, 'openapi-typescript-codegen'] as const;

/** A client that was generated, with the code that uses it. */
export interface Client {
  run(site: Site, wallet: Wallet): Promise<Done>;
}

/** A temporary folder with the generated clients and the code of `clients`. */
export interface GeneratedClients {
  /** Returns the errors of TypeScript, with the strictest options that people use. */
  compile(tool: (typeof COMPILED)[number]): string[];
  /** Loads a client. */
  load(tool: (typeof TOOLS)[number]): Promise<Client>;
  remove(): Promise<void>;
}

/** Generates all clients from the text of an OpenAPI document. */
export async function generateClients(document: string): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-clients-'));
  const generated = join(folder, 'generated');
  await cp(join(import.meta.dirname, 'clients'), folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), document);
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  await generateHeyApi({
    input: join(folder, 'openapi.json'),
    output: { path: join(generated, 'hey-api'), importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  await generateCodegen({
    input: join(folder, 'openapi.json'),
    output: join(generated, 'openapi-typescript-codegen'),
    exportSchemas: true,
    useUnionTypes: true,
  });
  await writeFile(join(generated, 'oazapfts.ts'), await generateOazapfts(join(folder, 'openapi.json')));
  await writeFile(join(generated, 'openapi-typescript.ts'), astToString(await generateTypes(document)));
  return {
    compile: (tool) => errorsOf(join(folder, `${tool}.ts`)),
    async load(tool) {
      const outfile = join(folder, `${tool}.mjs`);
      await build({
        entryPoints: [join(folder, `${tool}.ts`)],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'silent',
      });
      return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Client;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};
const host = ts.createCompilerHost(OPTIONS);
const { getSourceFile } = host;
/** The files that the clients import, parsed. The libraries are the same for all clients. */
const parsed = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (name, ...more) => {
  const file = parsed.get(name) ?? getSourceFile(name, ...more);
  parsed.set(name, file);
  return file;
};

function errorsOf(file: string): string[] {
  const program = ts.createProgram([file], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, file: at }) =>
        `${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}
