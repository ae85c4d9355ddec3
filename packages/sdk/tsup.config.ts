import { writeFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Entries that consumers import; the platform files are found through `#platform` of package.json. */
const entry = {
  index: 'src/index.ts',
  chain: 'src/chain/index.ts',
  // Entries only so that each becomes a chunk of its own: a bundler keeps the side effects of a chunk that it uses.
  // Two import kit.
  'key-pair': 'src/wallet/key-pair.ts',
  'token-account': 'src/chain/token-account.ts',
  // Three need no schema; schemas are built when their chunk loads.
  errors: 'src/errors.ts',
  codes: '../contract/src/clause-masks.ts',
  operations: '../contract/src/operation.ts',
  // So that index.js is nothing but exports.
  client: 'src/client/service-client.ts',
  verify: 'src/bin/verify.ts',
  'platform/node': 'src/platform/node.ts',
  'platform/browser': 'src/platform/browser.ts',
  // Beside the platform files, which start them by name.
  'platform/prover-worker': 'src/platform/prover-worker.ts',
  'platform/prover-worker-node': 'src/platform/prover-worker-node.ts',
};

/** Leaves the choice between Node and browser to whoever resolves the package. */
const platformByImports: Plugin = {
  name: 'platform-by-imports',
  setup(build) {
    build.onResolve({ filter: /\/platform\/index\.ts$/ }, () => ({ path: '#platform', external: true }));
  },
};

/**
 * A chunk imports others for the order of their side effects alone, of which there are none; a bundler would load what
 * is imported later, as kit's codecs, at once.
 */
const noBareImports: NonNullable<Options['plugins']>[number] = {
  name: 'no-bare-imports',
  renderChunk: (code) => ({ code: code.replaceAll(/^import "\.\/[^"]+";\n/gm, '') }),
};

/** Lets the command use the package's entry as it is: bundled in, it would change how the entries share chunks. */
const indexAsItIs: Plugin = {
  name: 'index-as-it-is',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/index\.ts$/ }, () => ({ path: './index.js', external: true }));
  },
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
  removeNodeProtocol: false,
  external: [/^node:/],
  // The wire and the chain are private packages: they travel inside.
  noExternal: [/^@service\//],
  esbuildPlugins: [platformByImports, indexAsItIs],
  plugins: [noBareImports],
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
              '@service/contract/errors': ['../contract/src/errors.ts'],
              '@service/protocol': ['../protocol/src/index.ts'],
              '@service/protocol/generated': ['../protocol/src/generated/index.ts'],
              '@service/protocol/eligibility': ['../protocol/src/eligibility/index.ts'],
              '@service/protocol/eligibility/*': ['../protocol/src/eligibility/*.ts'],
            },
          },
        },
  // Without declarations of its own a quick build lends those of the sources; `npm pack` always builds in full.
  onSuccess: async () => {
    if (options.dts !== false) return;
    const folder = options.outDir ?? 'dist';
    await writeFile(`${folder}/index.d.ts`, "export * from '../src/index.ts';\n");
    await writeFile(`${folder}/chain.d.ts`, "export * from '../src/chain/index.ts';\n");
  },
}));
