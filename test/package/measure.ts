/** Measures the size of an import of the built SDK in a page. */
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { type Rolldown, build as vite } from 'vite';

/** The size of some code with everything that it imports, in bytes after gzip -9. */
export type Weight = Awaited<ReturnType<typeof weigh>>;

/** A file of a bundle. */
interface Chunk {
  readonly code: Uint8Array;
  readonly isEntry: boolean;
  /** Names of the chunks that load with it. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** Bytes by source file: minified with esbuild, not minified with Vite. */
  readonly inputs: readonly (readonly [file: string, bytes: number])[];
}

type Bundle = ReadonlyMap<string, Chunk>;

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** Name of a bundler. */
export type Bundler = 'esbuild' | 'vite';

/** Measures code that a bundler builds for browsers, in production; esbuild resolves its imports from a folder. */
export async function weigh(code: string, bundler: Bundler = 'esbuild', resolveDir = REPOSITORY) {
  const bundle = await (bundler === 'vite' ? byVite(code) : byEsbuild(code, resolveDir));
  const entries = [...bundle].filter(([, { isEntry }]) => isEntry).map(([name]) => name);
  const atOnce = reachable(bundle, entries, ({ imports }) => imports);
  // esbuild also makes chunks of dynamic imports that nothing reaches.
  const all = ({ imports, dynamicImports }: Chunk) => [...imports, ...dynamicImports];
  const ever = reachable(bundle, entries, all);
  /** Returns the chunks that load only through a chunk with such a source file. */
  const onlyThrough = (pattern: RegExp) => {
    const has = (name: string) => bundle.get(name)!.inputs.some(([file]) => pattern.test(file));
    const others = reachable(bundle, entries, (chunk) =>
      all(chunk).filter((name) => atOnce.has(name) || !has(name)),
    );
    return [...ever].filter((name) => !others.has(name));
  };
  const snarkjs = onlyThrough(/node_modules\/snarkjs\//);
  const prover = onlyThrough(/sdk\/dist\/(prover|make-proof)-[^/]+$/).filter(
    (name) => !snarkjs.includes(name),
  );
  const tweetnacl = onlyThrough(/node_modules\/tweetnacl\//);
  const apart = new Set([...atOnce, ...prover, ...snarkjs, ...tweetnacl]);
  const later = [...ever].filter((name) => !apart.has(name));
  const sum = (names: Iterable<string>) =>
    [...names].reduce((bytes, name) => bytes + gzipSync(bundle.get(name)!.code, { level: 9 }).length, 0);
  return {
    /** Loaded before the first line runs. */
    atOnce: sum(atOnce),
    /** Loaded by dynamic imports, without the three that follow. */
    later: sum(later),
    /** tweetnacl, which loads only if WebCrypto has no Ed25519. */
    tweetnacl: sum(tweetnacl),
    /** The SDK's own prover, which the first proof loads. */
    prover: sum(prover),
    /** snarkjs, which loads only if the SDK's own prover fails or does not fit the artifacts. */
    snarkjs: sum(snarkjs),
    /** Bytes by package: minified with esbuild, not minified with Vite. */
    packages: packagesOf(bundle, atOnce, later),
  };
}

async function byEsbuild(code: string, resolveDir: string): Promise<Bundle> {
  const { metafile, outputFiles } = await esbuild({
    stdin: { contents: code, resolveDir },
    outdir: resolve(REPOSITORY, 'unused'),
    absWorkingDir: REPOSITORY,
    // Without the paths of tsconfig.json the SDK resolves to its build.
    tsconfigRaw: {},
    bundle: true,
    write: false,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    metafile: true,
    legalComments: 'none',
    logLevel: 'error',
    // One of the budgets is about bare imports that load nothing.
    logOverride: { 'ignored-bare-import': 'silent' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const chunks = Object.entries(metafile.outputs).map(([name, { entryPoint, imports, inputs }]) => {
    const of = (kind: string) => imports.filter((each) => each.kind === kind).map(({ path }) => path);
    const chunk: Chunk = {
      code: outputFiles.find(({ path }) => path === resolve(REPOSITORY, name))!.contents,
      isEntry: entryPoint === '<stdin>',
      imports: of('import-statement'),
      dynamicImports: of('dynamic-import'),
      inputs: Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]),
    };
    return [name, chunk] as const;
  });
  return new Map(chunks);
}

async function byVite(code: string): Promise<Bundle> {
  const id = '\0page.js';
  const page = {
    name: 'page',
    resolveId: (source: string) => (source === id ? id : null),
    load: (source: string) => (source === id ? code : null),
  };
  const { output } = (await vite({
    root: REPOSITORY,
    configFile: false,
    logLevel: 'error',
    plugins: [page],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rollupOptions: { input: id },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === 'chunk');
  return new Map(
    chunks.map(({ fileName, code, modules, isEntry, imports, dynamicImports }) => {
      const inputs = Object.entries(modules).map(
        ([file, { renderedLength }]) => [file, renderedLength] as const,
      );
      return [fileName, { code: Buffer.from(code), isEntry, imports, dynamicImports, inputs }];
    }),
  );
}

/** Returns the chunks that some chunks import, directly or not. */
function reachable(bundle: Bundle, from: string[], next: (chunk: Chunk) => readonly string[]): Set<string> {
  const found = new Set(from);
  for (const name of found) {
    for (const other of next(bundle.get(name)!)) if (bundle.has(other)) found.add(other);
  }
  return found;
}

function packagesOf(bundle: Bundle, atOnce: ReadonlySet<string>, later: readonly string[]) {
  const packages = new Map<string, { atOnce: number; later: number }>();
  for (const name of [...atOnce, ...later]) {
    for (const [file, length] of bundle.get(name)!.inputs) {
      const key = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '@service/sdk';
      const bytes = packages.get(key) ?? { atOnce: 0, later: 0 };
      bytes[atOnce.has(name) ? 'atOnce' : 'later'] += length;
      packages.set(key, bytes);
    }
  }
  return packages;
}
