/** Loads PGlite only when a database needs it. It has 26 MB, which a server on PostgreSQL can leave out. */
import type { PGlite } from '@electric-sql/pglite';

/** Thrown if the package @electric-sql/pglite is not installed. */
export class PgliteMissingError extends Error {
  override readonly name = 'PgliteMissingError';
}

/** Returns the class of PGlite. @throws PgliteMissingError */
export async function loadPglite(): Promise<typeof PGlite> {
  try {
    return (await import('@electric-sql/pglite')).PGlite;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new PgliteMissingError(
      'A database in a folder needs the package @electric-sql/pglite, which is not installed. Install without --omit=optional, or set DATABASE_URL.',
      { cause: error },
    );
  }
}
