/** A database whose statements run through a function, which can fail them. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

/** Runs a call, or fails it. */
export type Around = <T>(call: () => Promise<T>) => Promise<T>;

/** Returns the same database, whose statements `around` runs. The begin and the commit of a transaction are calls too. */
export function throughDriver<Schema>(db: Kysely<Schema>, around: Around): Kysely<Schema> {
  const dialect: Dialect = {
    createDriver: () => driverAround(db, around),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely({ dialect });
}

/** A connection, and the function that gives it back. */
interface Borrowed extends DatabaseConnection {
  readonly real: DatabaseConnection;
  giveBack(): void;
}

function driverAround<Schema>(db: Kysely<Schema>, around: Around): Driver {
  const run = (connection: DatabaseConnection, statement: string) =>
    connection.executeQuery(CompiledQuery.raw(statement));
  return {
    init: async () => undefined,
    acquireConnection: () =>
      new Promise<Borrowed>((resolve, reject) => {
        const lend = (real: DatabaseConnection) =>
          new Promise<void>((giveBack) => {
            resolve({
              real,
              giveBack,
              executeQuery: (query) => around(() => real.executeQuery(query)),
              streamQuery: (query, size) => real.streamQuery(query, size),
            });
          });
        db.getExecutor().provideConnection(lend).catch(reject);
      }),
    beginTransaction: async (connection, { isolationLevel: level }) =>
      void (await run(connection, level ? `begin isolation level ${level}` : 'begin')),
    commitTransaction: async (connection) => void (await run(connection, 'commit')),
    // The database itself rolls back what a crashed process has not committed.
    rollbackTransaction: async (connection) => void (await run((connection as Borrowed).real, 'rollback')),
    releaseConnection: async (connection) => (connection as Borrowed).giveBack(),
    destroy: async () => undefined,
  };
}
