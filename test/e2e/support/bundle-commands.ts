/**
 * Bundles commands of the repository into one JavaScript file each. Loading hundreds of files through tsx costs every process
 * more than a second of processor time, and the end-to-end tests start dozens of processes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  // Inside node_modules, so that the bundles find the packages that they import.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'e2e-'));
  const names = files.map((file, index) => `${index}-${basename(file, '.ts')}`);
  await build({
    entryPoints: Object.fromEntries(files.map((file, index) => [names[index]!, join(ROOT, file)])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    plugins: [workspacePackages(change)],
  });
  const bundles = names.map((name) => join(outdir, `${name}.mjs`)) as { [I in keyof F]: string };
  return { bundles, remove: () => rmSync(outdir, { recursive: true }) };
}
