/** A process that crashes: after a number of statements and RPC calls, every call fails and no lease is released. */
import type { World } from '@service/server/test-service';
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
import type { Database } from '../../src/database/database.ts';
import type { Schema } from '../../src/database/schema.ts';
import { rpcAround } from './rpc-around.ts';

/** Runs a call, or fails it. */
type Around = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Returns the connections of a process that crashes when `crashAfter` has counted down. The begin and the commit of a
 * transaction are calls too.
 *
 * @param afterwards whether the last call takes effect, so that only its response is lost
 */
export function crashingProcess(
  { database, net }: Pick<World, 'net'> & { database: Database },
  { afterwards }: { afterwards: boolean },
) {
  let left = Number.POSITIVE_INFINITY;
  const around: Around = async (call) => {
    const wasAlive = left >= 0;
    left -= 1;
    if (left >= 0) return call();
    if (afterwards && wasAlive) await call();
    throw new Error('The process was killed.');
  };
  return {
    database: { ...database, db: throughDriver(database.db, around) },
    rpc: rpcAround(net, around),
    get hasCrashed() {
      return left < 0;
    },
    /** Makes every call fail after this number of calls. */
    crashAfter(calls: number) {
      left = calls;
    },
  };
}

/** Returns the same database, whose statements `around` runs. */
function throughDriver(db: Kysely<Schema>, around: Around): Kysely<Schema> {
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

function driverAround(db: Kysely<Schema>, around: Around): Driver {
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
