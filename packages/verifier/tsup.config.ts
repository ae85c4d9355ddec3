import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  clean: true,
  sourcemap: false,
  removeNodeProtocol: false,
  // Bundles the private packages, and what only they use. npm installs the others, so that `npm audit` sees them.
  external: ['@electric-sql/pglite'],
  noExternal: [/^@service\//, /^@solana-program\//, /^@noble\//, 'poseidon-lite', 'zod'],
  // An operator copies the policy and edits it.
  onSuccess: () => cp('../../examples/verifier/policy.json', 'policy.json'),
});
