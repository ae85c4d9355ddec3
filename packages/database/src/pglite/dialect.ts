/** Kysely's PostgreSQL dialect over PGlite, which has one connection, in this process. */
import type { PGlite } from '@electric-sql/pglite';
import type { Dialect, PostgresPoolClient } from 'kysely';
import { MigratedDialect } from '../migrate.ts';

/** Returns the dialect for an open PGlite. Destroying the Kysely instance closes it. */
export function pgliteDialect(pglite: PGlite): Dialect {
  let last: Promise<void> = Promise.resolve();
  const pool = {
    /** Resolves when the connection is free. One caller uses it at a time, so that no other statement gets into a transaction. */
    async connect() {
      const before = last;
      let release = () => {};
      last = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      const query = (text: string, parameters: readonly unknown[]) => pglite.query(text, [...parameters]);
      return { query, release } as unknown as PostgresPoolClient;
    },
    async end() {
      await last;
      await pglite.close();
    },
  };
  return new MigratedDialect({ pool });
}
