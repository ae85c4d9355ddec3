/** Connections to PostgreSQL. Each way in which a connection or another process can hang has a time limit. */
import { Socket } from 'node:net';
import { Kysely } from 'kysely';
import pg from 'pg';
import { MigratedDialect } from '../migrate.ts';

/** Time limits of the connections, in milliseconds. */
export const POSTGRES_LIMITS = {
  /** The most time to open a connection, or to wait for a free one. */
  connect: 5_000,
  /** The most time that a statement may take. The server cancels it. */
  statement: 10_000,
  /** The most time that a statement waits for a lock. The server cancels it. */
  lock: 5_000,
  /** The most time between two statements of a transaction. Then the server ends the connection, which frees its locks. */
  idleInTransaction: 10_000,
  /** The most time without a byte from the server. Then this process ends the connection. Must be longer than `statement`. */
  silence: 15_000,
};

/** Milliseconds after which an unused connection is closed. It is shorter than the limit of silence. */
const CLOSE_IDLE_AFTER_MS = 10_000;
/** A migration has no limit but this one. It may change many rows, and replicas that start together wait for each other. */
const MIGRATION_IDLE_MS = 60_000;
const INT8 = 20;

/** Opens a pool of at most ten connections. */
export function openPool(url: string, limits = POSTGRES_LIMITS): pg.Pool {
  return poolOf(url, {
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: Math.min(CLOSE_IDLE_AFTER_MS, limits.silence / 2),
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    stream: () => socketThatEndsAfter(limits.silence),
  });
}

/** Runs `work` on a separate connection, whose statements have no time limit. */
export async function withUnlimitedConnection<T>(
  url: string,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  const db = kyselyOf<unknown>(
    poolOf(url, {
      max: 1,
      connectionTimeoutMillis: POSTGRES_LIMITS.connect,
      idle_in_transaction_session_timeout: MIGRATION_IDLE_MS,
    }),
  );
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Returns the query builder of a pool. Destroying it ends the pool. */
export function kyselyOf<Schema>(pool: pg.Pool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new MigratedDialect({ pool }) });
}

function poolOf(url: string, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
    },
    ...config,
  });
  // The pool replaces a connection that breaks. Without these listeners the error would end the process. The pool listens
  // only to connections that nobody uses, so a connection that breaks between two statements needs a listener too.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Returns a socket that closes itself when nothing was sent or received for a time. A lost peer sends no end. */
function socketThatEndsAfter(ms: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(ms, () => socket.destroy());
}
