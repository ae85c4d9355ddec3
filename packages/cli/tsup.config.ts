import { cp, rm } from 'node:fs/promises';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  clean: true,
  sourcemap: false,
  removeNodeProtocol: false,
  // Bundles the packages of the repository, so that one tarball is enough, and what only they use. npm installs the others, so
  // that `npm audit` sees them.
  external: ['snarkjs'],
  noExternal: [/^@service\//, /^@solana-program\//, /^@noble\//, 'ky', 'poseidon-lite', 'zod'],
  // The bundled packages find the program, the proof artifacts and the circuit by paths from their own files.
  onSuccess: async () => {
    for (const file of ['program.so', 'program.so.sha256'])
      await cp(`../program/artifact/${file}`, `dist/artifact/${file}`);
    for (const folder of ['artifacts', 'circuits']) {
      await rm(folder, { recursive: true, force: true });
      await cp(`../circuit/${folder}`, folder, { recursive: true });
    }
  },
});
