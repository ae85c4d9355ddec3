/** The service's PostgreSQL with its synchronous standby, and one proxy for each server. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgres, createStandby, type Postgres, ROLE } from './postgres.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The database of a campaign. */
export interface DatabasePair {
  /** The one that accepts writes. */
  readonly primary: Postgres;
  /** One for each server. */
  readonly proxies: readonly TcpProxy[];
  /** The URL of the service's database behind a proxy. */
  url(proxy: TcpProxy): string;
  /** Stops the primary without warning, promotes its standby, and creates a new standby. */
  failOver(): Promise<void>;
  /** Starts the primary and the standby if they are stopped. */
  endFaults(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the database in a folder. */
export async function openDatabasePair(folder: string, servers: number): Promise<DatabasePair> {
  let count = 0;
  const next = () => join(folder, `postgres-${++count}`);
  mkdirSync(folder, { recursive: true });
  // The user of PostgreSQL must be able to enter it.
  chmodSync(folder, 0o755);
  let primary = await createPostgres(next());
  let standby: Postgres | null = await createStandby(primary, next());
  const proxies = await Promise.all(Array.from({ length: servers }, () => openTcpProxy(() => primary.port)));
  return {
    get primary() {
      return primary;
    },
    proxies,
    url: ({ port }) => `postgres://${ROLE}@127.0.0.1:${port}/${ROLE}`,
    async failOver() {
      if (!standby) throw new Error('The last promotion has not ended.');
      const [old, promoted] = [primary, standby];
      standby = null;
      await old.stop('immediate');
      await promoted.promote();
      await promoted.asAdmin(async (admin) => {
        // The copy has the setting of the old primary. Without a standby, every commit would wait.
        await admin.query('alter system reset synchronous_standby_names');
        await admin.query('select pg_reload_conf()');
      });
      primary = promoted;
      for (const proxy of proxies) proxy.cut();
      standby = await createStandby(primary, next());
    },
    async endFaults() {
      if (!isAlive(primary)) await primary.start();
      if (standby && !isAlive(standby)) await standby.start();
    },
    async close() {
      for (const proxy of proxies) proxy.close();
      for (const each of [standby, primary]) if (each && isAlive(each)) await each.stop('immediate');
    },
  };
}

/** Returns whether its first process runs. */
export function isAlive(server: Postgres): boolean {
  const pid = server.pid();
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
