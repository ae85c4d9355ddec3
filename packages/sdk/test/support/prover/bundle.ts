/** Bundles the prover as in the package, with its worker next to it. The sources have no worker file. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Esbuild from 'esbuild';

// The bundler of tsup.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;
const repository = path.resolve(import.meta.dirname, '../../../../..');

const platform = path.join(repository, 'packages/sdk/src/prover/platform');

/** A folder with a bundled program. */
export type Bundle = Awaited<ReturnType<typeof newFolder>>;

async function newFolder() {
  const parent = await mkdtemp(path.join(tmpdir(), 'prover-'));
  // Node itself loads what is in such a folder. Vitest would transform the whole bundle at each import.
  const directory = path.join(parent, 'node_modules', 'bundle');
  await mkdir(directory, { recursive: true });
  return { directory, remove: () => rm(parent, { recursive: true }) };
}

/** Bundles a file of this folder as `program.mjs`, for Node. */
export async function bundleForNode(fixture: string): Promise<Bundle> {
  const bundle = await newFolder();
  const { directory } = bundle;
  await symlink(path.join(repository, 'node_modules'), path.join(directory, 'node_modules'));
  await writeFile(path.join(directory, 'package.json'), '{ "type": "module" }');
  const external = ['snarkjs', 'poseidon-lite'];
  const shared = { outdir: directory, bundle: true, platform: 'node', format: 'esm', external } as const;
  await build({
    ...shared,
    splitting: true,
    entryPoints: { program: path.join(import.meta.dirname, fixture) },
    outExtension: { '.js': '.mjs' },
    // In a bundle the circuit's own file cannot locate its artifacts.
    define: { 'import.meta.dirname': JSON.stringify(path.join(repository, 'packages/circuit/src')) },
  });
  const workers = ['prover-worker-node.ts', 'snarkjs-worker-node.ts'];
  await build({ ...shared, entryPoints: workers.map((name) => path.join(platform, name)) });
  return bundle;
}

/** Bundles a file of this folder as `page.js`, with all it needs, and the workers' files, for a browser. */
export async function bundleForBrowser(fixture: string): Promise<Bundle> {
  const bundle = await newFolder();
  // In the package, `imports` of package.json selects the platform.
  const selectPlatform: Esbuild.Plugin = {
    name: 'platform',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/node\.ts$/ }, () => ({ path: path.join(platform, 'browser.ts') })),
  };
  const page = path.join(import.meta.dirname, fixture);
  await build({
    entryPoints: {
      page,
      'prover-worker': path.join(platform, 'prover-worker.ts'),
      'snarkjs-worker': path.join(platform, 'snarkjs-worker.ts'),
    },
    outdir: bundle.directory,
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    plugins: [selectPlatform],
  });
  return bundle;
}
