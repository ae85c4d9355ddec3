/** What an import of the built SDK weighs in a page. */
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/** The weight of some code with all that it imports, in bytes after gzip -9. */
export interface Weight {
  /** What is loaded before the first line runs. */
  readonly atOnce: number;
  /** What dynamic imports can load, without the prover and snarkjs. */
  readonly later: number;
  /** The prover's chunk and snarkjs. */
  readonly prover: number;
  /** Minified bytes by package of what is loaded at once and later. */
  readonly packages: ReadonlyMap<string, { readonly atOnce: number; readonly later: number }>;
}

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** Weighs code as esbuild bundles it for browsers. */
export async function weigh(code: string): Promise<Weight> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: REPOSITORY },
    outdir: resolve(REPOSITORY, 'unused'),
    absWorkingDir: REPOSITORY,
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
    // Bare imports that bring nothing are what one of the budgets is about.
    logOverride: { 'ignored-bare-import': 'silent' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const zipped = new Map(
    outputFiles.map((file) => [file.path, gzipSync(file.contents, { level: 9 }).length]),
  );
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === '<stdin>')!;
  const atOnce = reachable(outputs, [entry], ['import-statement']);
  // esbuild makes chunks of dynamic imports that nothing reaches too.
  const ever = reachable(outputs, [entry], ['import-statement', 'dynamic-import']);
  const prover = new Set([...ever].filter((name) => isProver(outputs, name)));
  const later = [...ever].filter((name) => !atOnce.has(name) && !prover.has(name));
  const sum = (names: Iterable<string>) =>
    [...names].reduce((bytes, name) => bytes + (zipped.get(resolve(REPOSITORY, name)) ?? 0), 0);
  return {
    atOnce: sum(atOnce),
    later: sum(later),
    prover: sum(prover),
    packages: packagesOf(outputs, atOnce, later),
  };
}

type Outputs = Metafile['outputs'];

/** Chunks that some others lead to, by some kinds of import. */
function reachable(outputs: Outputs, from: readonly string[], kinds: readonly string[]): Set<string> {
  const found = new Set(from);
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kinds.includes(kind)) found.add(path);
  }
  return found;
}

function isProver(outputs: Outputs, name: string): boolean {
  const inputs = Object.keys(outputs[name]?.inputs ?? {});
  return inputs.some((input) => /poseidon-lite|node_modules\/snarkjs\//.test(input));
}

function packagesOf(outputs: Outputs, atOnce: ReadonlySet<string>, later: readonly string[]) {
  const packages = new Map<string, { atOnce: number; later: number }>();
  for (const [when, names] of [
    ['atOnce', atOnce],
    ['later', later],
  ] as const) {
    for (const name of names) {
      for (const [input, { bytesInOutput }] of Object.entries(outputs[name]?.inputs ?? {})) {
        const key = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '@service/sdk';
        const bytes = packages.get(key) ?? { atOnce: 0, later: 0 };
        bytes[when] += bytesInOutput;
        packages.set(key, bytes);
      }
    }
  }
  return packages;
}
