import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';

// The bundler that tsup, which packs the SDK, brings along.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;

/** What a browser bundle holds when it takes some names from this folder's entry. */
async function bundle(names: string): Promise<string> {
  const result = await build({
    stdin: {
      contents: `import { ${names} } from './index.ts'; console.log(${names});`,
      resolveDir: import.meta.dirname,
      sourcefile: path.join(import.meta.dirname, 'entry.ts'),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    metafile: true,
  });
  return Object.keys(Object.values(result.metafile.outputs)[0]?.inputs ?? {}).join('\n');
}

describe('a browser bundle', () => {
  it('without hashes has no Poseidon', async () => {
    const inputs = await bundle(
      'asOfDateCode, parseBirthDate, evaluateClause, checkClauses, checkAttributes, manifestDigest, parseManifest, decodeProof',
    );
    expect(inputs).toContain('date-code.ts');
    expect(inputs).not.toContain('poseidon');
  });

  it('with hashes has Poseidon, only for 2 and 11 inputs', async () => {
    const inputs = await bundle('circuitInput');
    const constants = inputs.match(/poseidon-lite\/constants\/\d+/g);
    expect(constants).toHaveLength(2);
    expect(new Set(constants)).toEqual(new Set(['poseidon-lite/constants/2', 'poseidon-lite/constants/11']));
  });
});
