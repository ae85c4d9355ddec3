import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';

// The bundler that tsup brings along.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;

/** Files in a browser's bundle of a module, and what it imports from outside; with splitting, of the first chunk. */
async function bundle(entry: string): Promise<{ files: string; imports: string[] }> {
  const result = await build({
    entryPoints: [path.join(import.meta.dirname, entry)],
    outdir: 'unused',
    bundle: true,
    write: false,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    external: ['snarkjs'],
  });
  const first = Object.values(result.metafile.outputs).find((output) => output.entryPoint);
  return {
    files: Object.keys(first?.inputs ?? {}).join('\n'),
    imports: (first?.imports ?? []).map(({ path: imported, kind }) => `${kind} ${imported}`),
  };
}

describe('in a browser bundle', () => {
  it('the artifact source brings neither Poseidon nor snarkjs nor Node', async () => {
    const { files, imports } = await bundle('artifacts/artifacts-from.ts');
    expect(files).toContain('platform/browser.ts');
    expect(files).not.toMatch(/poseidon|platform\/node/);
    expect(imports).toEqual([]);
  });

  it('the prover loads snarkjs when it is called, not before', async () => {
    const { files, imports } = await bundle('index.ts');
    expect(files).toContain('poseidon');
    expect(files).not.toContain('platform/node');
    expect(imports).toEqual(['dynamic-import snarkjs']);
  });
});
