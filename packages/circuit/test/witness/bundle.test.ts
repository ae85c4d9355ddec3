import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Esbuild from 'esbuild';
import { expect, it } from 'vitest';

// This is the bundler of tsup, which packs the SDK.
const require = createRequire(createRequire(import.meta.url).resolve('tsup'));
const { build } = require('esbuild') as typeof Esbuild;

const repository = path.resolve(import.meta.dirname, '../../../..');

/** The most bytes of the calculator, minified. Lists of Poseidon's constants would be 85,000. */
const LARGEST = 10_000;

it('a browser bundle of the calculator contains no module of Node, no constants and no other code', async () => {
  const { outputs } = (
    await build({
      stdin: { contents: "export * from '@service/circuit/witness'", resolveDir: import.meta.dirname },
      absWorkingDir: repository,
      bundle: true,
      write: false,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      metafile: true,
    })
  ).metafile;
  const [{ bytes, inputs, imports } = { bytes: 0, inputs: {}, imports: [] }] = Object.values(outputs);
  const allowed =
    /^<stdin>$|^packages\/circuit\/src\/witness\/|^packages\/protocol\/src\/eligibility\/(field|errors)\.ts$/;
  expect(Object.keys(inputs).filter((file) => !allowed.test(file))).toEqual([]);
  expect(imports).toEqual([]);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(LARGEST);
});
