/** One PostgreSQL: a cluster in a folder, on loopback and on a Unix socket. */
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../e2e/support/child-process.ts';
import { endWithCampaign } from '../end-with-campaign.ts';

const DEBIAN = '/usr/lib/postgresql';
/** The service's role. It is not a superuser, so that a superuser can connect when it has taken all connections. */
export const ROLE = 'service';
const MAX_CONNECTIONS = 60;
const SYNCHRONOUS = '*';

/** A PostgreSQL that runs or is stopped. */
export type Postgres = ReturnType<typeof postgresAt>;

/** Returns whether this machine has a PostgreSQL of Debian. */
export const hasPostgres = () => existsSync(DEBIAN);

/** Creates a cluster with the service's role and database, and starts it. */
export async function createPostgres(folder: string): Promise<Postgres> {
  const server = postgresAt(folder, await freePort());
  await server.run(
    'initdb',
    '-D',
    server.data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '-N',
    '--wal-segsize=1',
  );
  server.configure([
    "listen_addresses = '127.0.0.1'",
    // The machine does not lose power here, so the page cache survives every stop.
    'fsync = off',
    `max_connections = ${MAX_CONNECTIONS}`,
    'wal_keep_size = 64MB',
    'max_wal_senders = 8',
    // Ends the connection of a silent standby after seconds. The default is a minute.
    'wal_sender_timeout = 5s',
  ]);
  await server.start();
  await server.asAdmin(async (admin) => {
    await admin.query(`create role ${ROLE} login`);
    await admin.query(`create database ${ROLE} owner ${ROLE}`);
  });
  return server;
}

/** Copies a running primary, and starts the copy as its synchronous standby. Resolves when both are in step. */
export async function createStandby(primary: Postgres, folder: string): Promise<Postgres> {
  const standby = postgresAt(folder, await freePort());
  const from = ['-h', primary.folder, '-p', `${primary.port}`, '-U', 'postgres'];
  await standby.run('pg_basebackup', '-D', standby.data, ...from, '-R', '-X', 'stream', '-c', 'fast', '-N');
  standby.configure([]);
  await standby.start();
  await primary.asAdmin(async (admin) => {
    await admin.query(`alter system set synchronous_standby_names = '${SYNCHRONOUS}'`);
    await admin.query('select pg_reload_conf()');
    for (;;) {
      const { rowCount } = await admin.query(
        `select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
      );
      if (rowCount) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  return standby;
}

function postgresAt(folder: string, port: number) {
  const as = owner();
  mkdirSync(folder, { recursive: true });
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const run = (command: string, ...args: string[]) =>
    new Promise<void>((resolve, reject) => {
      execFile(join(binaries(), command), args, { ...as, cwd: folder }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  const pid = () => {
    const file = join(data, 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
  };
  endWithCampaign(() => {
    const first = pid();
    if (first !== null) process.kill(first, 'SIGQUIT');
  });
  return {
    folder,
    data,
    port,
    log,
    run,
    /** Adds settings, and the ones that every cluster needs. The last one of a name counts. */
    configure(lines: readonly string[]): void {
      const own = [`port = ${port}`, `unix_socket_directories = '${folder}'`];
      appendFileSync(join(data, 'postgresql.conf'), `\n${[...lines, ...own].join('\n')}\n`);
    },
    start: () => run('pg_ctl', '-D', data, '-l', log, '-w', '-t', '30', 'start'),
    stop: (mode: 'fast' | 'immediate') => run('pg_ctl', '-D', data, '-m', mode, '-w', 'stop'),
    /** Ends recovery. Then it is a primary that waits for no standby. */
    async promote(): Promise<void> {
      await run('pg_ctl', '-D', data, '-w', 'promote');
    },
    /** The id of the first process, which starts all others; null while it is stopped. */
    pid,
    /** Runs a tool of the system as the user of PostgreSQL. Root may be forbidden to change limits of other users' processes. */
    runTool: (tool: string, ...args: string[]) => void execFileSync(tool, args, { ...as, stdio: 'pipe' }),
    url: (role: string, database: string) =>
      `postgres://${role}@localhost:${port}/${database}?host=${folder}`,
    /** Connects as a superuser over the Unix socket. */
    async asAdmin<T>(use: (admin: pg.Client) => Promise<T>): Promise<T> {
      const admin = new pg.Client({ host: folder, port, user: 'postgres', database: 'postgres' });
      admin.on('error', () => undefined);
      await admin.connect();
      try {
        return await use(admin);
      } finally {
        await admin.end();
      }
    },
  };
}

function binaries(): string {
  const version = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0]!;
  return join(DEBIAN, version, 'bin');
}

/** PostgreSQL refuses to run as root, which CI is. */
function owner(): { uid: number; gid: number } | null {
  const id = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres']));
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : null;
}
