/**
 * Bundles commands of the repository into one JavaScript file each. Loading hundreds of files through tsx costs every process
 * more than a second of processor time, and the end-to-end tests start dozens of processes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { ROOT } from './child-process.ts';

/** Changes the text of a file, given by its path in the repository. */
type Change = (path: string, text: string) => string;

/** Inlines the packages of the repository, which then still find their files by `import.meta`. Other packages are imported. */
const workspacePackages = (change: Change): Plugin => ({
  name: 'workspace-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@service/') ? undefined : { path, external: true },
    );
    onLoad({ filter: /\/packages\/.*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: change(relative(ROOT, path), readFileSync(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }));
  },
});

/** Bundles files, given by their paths in the repository. `remove` deletes the bundles. */
export function bundleCommands<const F extends readonly string[]>(...files: F) {
  return bundleChanged((_path, text) => text, ...files);
}

/** Bundles files whose sources, and those that they import, are changed first. */
export async function bundleChanged<const F extends readonly string[]>(change: Change, ...files: F) {
  const names = files.map((file, index) => `${index}-${basename(file, '.ts')}`);
  const entryPoints = Object.fromEntries(files.map((file, index) => [names[index]!, file]));
  const { outdir, remove } = await bundle(entryPoints, { change });
  const bundles = names.map((name) => join(outdir, `${name}.mjs`)) as { [I in keyof F]: string };
  return { bundles, remove };
}

/**
 * Bundles packages that a dApp imports, given by their names, as npm installs them. `env` has the variables with which
 * `startChild` runs a TypeScript file with these bundles. `remove` deletes the bundles.
 */
export async function bundlePackages(...names: readonly string[]) {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.base.json'), 'utf8')) as {
    readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
  };
  const entryPoints = Object.fromEntries(names.map((name) => [name, compilerOptions.paths[name]![0]]));
  // The packages share code, such as the classes of errors.
  const { outdir, remove } = await bundle(entryPoints, { splitting: true });
  const paths = Object.fromEntries(names.map((name) => [name, [join(outdir, `${name}.mjs`)]]));
  const config = join(outdir, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: { paths } }));
  return { env: { TSX_TSCONFIG_PATH: config }, remove };
}

/** Bundles files of the repository, given by the names of the bundles, into a new folder. */
async function bundle(
  files: Readonly<Record<string, string>>,
  { change = (_path: string, text: string) => text, splitting = false } = {},
) {
  // Inside node_modules, so that the bundles find the packages that they import.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'e2e-'));
  await build({
    entryPoints: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(ROOT, file)])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    plugins: [workspacePackages(change)],
  });
  return { outdir, remove: () => rmSync(outdir, { recursive: true }) };
}
