import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';

// This is the bundler of tsup, which packs the SDK.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;

/** Returns the files in a browser bundle that imports these names from the entry of this folder. */
async function bundle(names: string): Promise<string> {
  const contents = `import { ${names} } from './index.ts'; console.log(${names});`;
  const result = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    metafile: true,
  });
  return Object.keys(Object.values(result.metafile.outputs)[0]?.inputs ?? {}).join('\n');
}

describe('a browser bundle', () => {
  it('does not contain Poseidon without the hashes', async () => {
    const inputs = await bundle(
      'dateCodeAt, parseBirthDate, evaluateClause, checkClauses, checkAttributes, manifestDigest, parseManifest, decodeProof',
    );
    expect(inputs).toContain('date-code.ts');
    expect(inputs).not.toContain('poseidon');
  });

  it.each([
    ['circuitInput', ['11', '2', '3']],
    ['privateInput, clauseHashes, commitmentOf, ruleHash', ['2', '3']],
  ])('with %s contains Poseidon for %j inputs', async (names, counts) => {
    const constants = (await bundle(names)).matchAll(/poseidon-lite\/constants\/(\d+)/g);
    expect([...constants].map(([, count]) => count).sort()).toEqual(counts);
  });
});
