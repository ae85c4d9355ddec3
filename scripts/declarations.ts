/**
 * `tsx ../../scripts/declarations.ts` in the folder of a published package: writes the declarations of its entries to `dist`.
 * typescript-7 emits the declarations of each source, and rollup bundles them. tsup would do both with an older compiler, which
 * takes five times as long.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const ROOT = resolve(import.meta.dirname, '..');
/** The private packages, whose declarations are bundled. All other packages stay imports. */
const PRIVATE = ['circuit', 'contract', 'protocol'];

const sourceOf = createRequire(import.meta.url).resolve;
const emitted = await mkdtemp(join(tmpdir(), 'declarations-'));

/** Resolves the packages that declarations import. */
const packages: Plugin = {
  name: 'packages',
  resolveId(id, importer) {
    if (importer === undefined || id.startsWith('.')) return;
    const [scope, name] = id.split('/');
    if (scope === '@service' && PRIVATE.includes(name!)) return declarationOf(sourceOf(id));
    // The compiler names the inner package that declares a type, such as `@solana/addresses`. The published packages do not
    // depend on it, and kit exports the same types.
    return { id: id.replace(/^@solana\/[\w-]+$/, '@solana/kit'), external: true };
  },
};

try {
  const sources = await sourcesOf(process.cwd());
  await emit(Object.values(sources));
  await bundle(sources);
} finally {
  await rm(emitted, { recursive: true });
}

/** Returns the source of each entry that a package exports, by its name in `dist`. */
async function sourcesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const { exports } = await readJson(join(folder, 'package.json'));
  const keys = Object.keys(exports).filter((key) => key !== './package.json');
  return Object.fromEntries(
    keys.map((key) => [key.slice(2) || 'index', join(folder, 'src', key, 'index.ts')]),
  );
}

/** Emits the declarations of sources and of all sources that they import. Throws if one has an error. */
async function emit(files: readonly string[]): Promise<void> {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noEmitOnError: true,
    incremental: false,
    rootDir: ROOT,
    outDir: emitted,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: await paths(),
  };
  const config = join(emitted, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  // In one thread, because each further thread would check the same types again.
  const tsc = [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--project', config, '--singleThreaded'];
  await promisify(execFile)(process.execPath, tsc, { cwd: ROOT }).catch(({ stdout, stderr }) => {
    throw new Error(`The declarations have errors. Correct their sources.\n${stdout}${stderr}`);
  });
}

/** Returns the sources of packages by name, because the compiler emits nothing for a package in node_modules. */
async function paths(): Promise<Readonly<Record<string, string[]>>> {
  const { compilerOptions } = await readJson(join(ROOT, 'tsconfig.base.json'));
  const published = Object.entries<[string]>(compilerOptions.paths).map(([name, [path]]) => [name, path]);
  const own = PRIVATE.map(async (name) => {
    const { exports } = await readJson(join(ROOT, 'packages', name, 'package.json'));
    return Object.entries<string>(exports).map(([key, path]) => [
      `@service/${name}${key.slice(1)}`,
      join('packages', name, path),
    ]);
  });
  const all = [...published, ...(await Promise.all(own)).flat()];
  return Object.fromEntries(all.map(([name, path]) => [name, [join(ROOT, path!)]]));
}

/** Bundles the emitted declarations of entries into `dist`. */
async function bundle(sources: Readonly<Record<string, string>>): Promise<void> {
  const input = Object.entries(sources).map(([name, source]) => [name, declarationOf(source)]);
  const build = await rollup({
    input: Object.fromEntries(input),
    plugins: [packages, dts()],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  await build.write({
    dir: 'dist',
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.ts`,
  });
}

/** Returns the path of the emitted declarations of a source. */
function declarationOf(source: string): string {
  return join(emitted, relative(ROOT, source).replace(/\.tsx?$/, '.d.ts'));
}

async function readJson(file: string) {
  return JSON.parse(await readFile(file, 'utf8'));
}
