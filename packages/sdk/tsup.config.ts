import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The entries of the build. Consumers find the platform files through `#platform` of package.json. */
const entry = {
  index: 'src/index.ts',
  chain: 'src/chain/index.ts',
  node: 'src/node/index.ts',
  query: 'src/query/index.ts',
  react: 'src/react/index.ts',
  // The parts of the index: see indexOfParts.
  ...Object.fromEntries(
    readdirSync('src/exports').map((file) => [`exports/${file.slice(0, -3)}`, `src/exports/${file}`]),
  ),
  'platform/node': 'src/prover/platform/node.ts',
  'platform/browser': 'src/prover/platform/browser.ts',
  'platform/react-native': 'src/prover/platform/react-native.ts',
  // In the folder of the platform files, which start these workers by name.
  'platform/prover-worker': 'src/prover/platform/prover-worker.ts',
  'platform/prover-worker-node': 'src/prover/platform/prover-worker-node.ts',
  'platform/snarkjs-worker': 'src/prover/platform/snarkjs-worker.ts',
  'platform/snarkjs-worker-node': 'src/prover/platform/snarkjs-worker-node.ts',
};

/**
 * Keeps `export * from './exports/…'` of the index as it is. If the index exported names, esbuild would treat each import
 * of the index as an import of all parts. A page would then load at once what only a proof or the chain needs.
 */
const indexOfParts: Plugin = {
  name: 'index-of-parts',
  setup(build) {
    build.onResolve({ filter: /^\.\/exports\// }, ({ path }) => ({
      path: path.replace('.ts', '.js'),
      external: true,
    }));
  },
};

/** Leaves the choice between Node, browser and React Native to the tool that resolves the package. */
const platformByImports: Plugin = {
  name: 'platform-by-imports',
  setup(build) {
    build.onResolve({ filter: /\/platform\/index\.ts$/ }, () => ({ path: '#platform', external: true }));
  },
};

/**
 * Removes imports without names. The build adds them only to order side effects, and there are none. With them, a
 * bundler would load at once what is needed later, such as kit's codecs.
 */
const noBareImports: NonNullable<Options['plugins']>[number] = {
  name: 'no-bare-imports',
  renderChunk: (code) => ({ code: code.replaceAll(/^import "\.\/[^"]+";\n/gm, '') }),
};

export default defineConfig(
  (options): Options => ({
    entry,
    format: 'esm',
    // The oldest supported browsers. test/platform compares this with what the README names.
    target: ['chrome109', 'firefox115', 'safari16.4'],
    platform: 'neutral',
    sourcemap: false,
    removeNodeProtocol: false,
    external: [/^node:/],
    // Bundles contract and protocol, because they are private packages. Bundles the clients of programs, because each of
    // their versions accepts only one major version of kit. Bundles the used parts of zod, because Node would load all of
    // its 100 files, which need 8 MB. Most of them are translations. The declarations import the types of zod.
    noExternal: [/^@service\//, /^@solana-program\//, 'zod'],
    // Codama's error texts read this variable, and browsers have no process.
    define: { 'process.env.NODE_ENV': '"production"' },
    // Makes a separate chunk of the prover, which is imported dynamically.
    splitting: true,
    clean: true,
    esbuildPlugins: [platformByImports, indexOfParts],
    plugins: [noBareImports],
    // Exports the declarations of the sources, for a build of JavaScript alone. A full build replaces them.
    onSuccess: async () => {
      const folder = options.outDir ?? 'dist';
      await writeFile(`${folder}/index.d.ts`, "export * from '../src/index.ts';\n");
      for (const name of ['chain', 'node', 'query', 'react']) {
        await writeFile(`${folder}/${name}.d.ts`, `export * from '../src/${name}/index.ts';\n`);
      }
    },
  }),
);
