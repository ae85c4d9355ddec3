/** Bundles the prover as in the package, with its worker next to it. The sources have no worker file. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Esbuild from 'esbuild';

// The bundler of tsup.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;
const repository = path.resolve(import.meta.dirname, '../../../../..');

/** A folder with a bundled program. */
export interface Bundle {
  readonly directory: string;
  remove(): Promise<void>;
}

/** Bundles a file of this folder as `program.mjs`, for Node. */
export async function bundleForNode(fixture: string): Promise<Bundle> {
  const directory = await mkdtemp(path.join(tmpdir(), 'prover-'));
  await symlink(path.join(repository, 'node_modules'), path.join(directory, 'node_modules'));
  await writeFile(path.join(directory, 'package.json'), '{ "type": "module" }');
  const shared: Esbuild.BuildOptions = {
    outdir: directory,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['snarkjs', 'poseidon-lite'],
  };
  await build({
    ...shared,
    entryPoints: { program: path.join(import.meta.dirname, fixture) },
    outExtension: { '.js': '.mjs' },
    // In a bundle the circuit's own file cannot locate its artifacts.
    define: { 'import.meta.dirname': JSON.stringify(path.join(repository, 'packages/circuit/src')) },
  });
  await build({
    ...shared,
    splitting: false,
    entryPoints: {
      'prover-worker-node': path.join(import.meta.dirname, '../../../src/platform/prover-worker-node.ts'),
    },
  });
  return { directory, remove: () => rm(directory, { recursive: true }) };
}

/** Bundles a file of this folder as `page.js`, with all it needs, and `prover-worker.js`, for a browser. */
export async function bundleForBrowser(fixture: string): Promise<Bundle> {
  const directory = await mkdtemp(path.join(tmpdir(), 'prover-page-'));
  const platform = path.join(import.meta.dirname, '../../../src/platform');
  await build({
    entryPoints: {
      page: path.join(import.meta.dirname, fixture),
      'prover-worker': path.join(platform, 'prover-worker.ts'),
    },
    outdir: directory,
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    // In the package, `imports` of package.json decides this.
    plugins: [
      {
        name: 'platform',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\/node\.ts$/ }, () => ({ path: path.join(platform, 'browser.ts') })),
      },
    ],
  });
  return { directory, remove: () => rm(directory, { recursive: true }) };
}
