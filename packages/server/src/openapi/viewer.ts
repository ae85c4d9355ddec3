/** Where the files of Swagger UI are. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The built server has the files that it needs next to its code: see tsup.config.ts. */
const BUILT = join(import.meta.dirname, 'swagger-ui');

/** Returns the path of a file of Swagger UI: of the built server, or of the package swagger-ui-dist in a checkout. */
export function viewerFile(name: string): string {
  if (existsSync(BUILT)) return join(BUILT, name);
  return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
