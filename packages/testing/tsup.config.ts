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
});
