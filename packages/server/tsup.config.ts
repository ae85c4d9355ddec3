import { cp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

/** The files of Swagger UI that the page of the API has, and their licences. The whole package has 12 MB. */
const VIEWER = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

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
  // The bundled code finds these files by paths from its own file.
  onSuccess: async () => {
    const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
    for (const file of VIEWER) await cp(join(viewer, file), `dist/swagger-ui/${file}`);
    await rm('artifacts', { recursive: true, force: true });
    await cp('../circuit/artifacts', 'artifacts', { recursive: true });
  },
});
