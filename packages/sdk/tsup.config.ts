import { writeFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';

/** Entries that consumers import; the platform files are found through `#platform` of package.json. */
const entry = {
  index: 'src/index.ts',
  chain: 'src/chain/index.ts',
  'platform/node': 'src/platform/node.ts',
  'platform/browser': 'src/platform/browser.ts',
};

export default defineConfig((options) => ({
  entry,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  // The prover, which is imported dynamically, becomes a chunk of its own.
  splitting: true,
  clean: true,
  sourcemap: false,
  // The wire and the chain are private packages: they travel inside.
  noExternal: [/^@service\//],
  external: ['#platform'],
  // Codama's error texts ask for it; browsers have no process.
  define: { 'process.env.NODE_ENV': '"production"' },
  dts:
    options.dts === false
      ? false
      : {
          entry: { index: entry.index, chain: entry.chain },
          // By path they are sources of this package, and so bundled; by name they would stay imports.
          compilerOptions: {
            baseUrl: '.',
            paths: {
              '@service/contract': ['../contract/src/index.ts'],
              '@service/protocol': ['../protocol/src/index.ts'],
              '@service/protocol/eligibility': ['../protocol/src/eligibility/index.ts'],
              '@service/protocol/eligibility/*': ['../protocol/src/eligibility/*.ts'],
            },
          },
        },
  // Without declarations of its own a quick build lends those of the sources; `npm pack` always builds in full.
  onSuccess: async () => {
    if (options.dts !== false) return;
    await writeFile('dist/index.d.ts', "export * from '../src/index.ts';\n");
    await writeFile('dist/chain.d.ts', "export * from '../src/chain/index.ts';\n");
  },
}));
