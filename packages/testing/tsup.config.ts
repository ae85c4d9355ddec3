import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', msw: 'src/msw/index.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  clean: true,
  sourcemap: false,
  // Errors must be of the SDK's own class, so the SDK stays an import.
  external: [/^@service\/sdk(\/|$)/, 'msw'],
  // Bundles contract and protocol, because they are private packages. Bundles the clients of programs, because each of
  // their versions accepts only one major version of kit.
  noExternal: [/^@service\/(contract|protocol)(\/|$)/, /^@solana-program\//],
  // The generated client's error texts read this variable, and browsers have no process.
  define: { 'process.env.NODE_ENV': '"production"' },
  dts: {
    // Import by path, so that their types are bundled. Imports by name would stay imports.
    compilerOptions: {
      baseUrl: '.',
      paths: {
        '@service/sdk': ['../sdk/src/index.ts'],
        '@service/sdk/chain': ['../sdk/src/chain/index.ts'],
        '@service/contract': ['../contract/src/index.ts'],
        '@service/protocol': ['../protocol/src/index.ts'],
        '@service/protocol/generated': ['../protocol/src/generated/index.ts'],
        '@service/protocol/eligibility': ['../protocol/src/eligibility/index.ts'],
        '@service/protocol/eligibility/*': ['../protocol/src/eligibility/*.ts'],
      },
    },
  },
});
