/** A PostgreSQL for one test, which can be stopped and started: a new cluster in a temporary folder, on a Unix socket. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running PostgreSQL. */
export interface PostgresServer {
  readonly url: string;
  /** Stops it as an operator does, which interrupts running statements. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';

/** Whether this machine has a PostgreSQL of Debian. */
export const hasPostgres = existsSync(DEBIAN);

/** Starts a PostgreSQL. It does not wait for the disk, because its data is temporary. */
export async function startPostgres(): Promise<PostgresServer> {
  const version = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0];
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root, which CI is.
  const as = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null;
  if (as) chownSync(folder, as.uid, as.gid);
  chmodSync(folder, 0o755);
  const run = (command: string, ...args: string[]) =>
    new Promise<void>((resolve, reject) => {
      const file = join(DEBIAN, `${version}`, 'bin', command);
      execFile(file, args, { ...as, cwd: folder }, (error) => (error ? reject(error) : resolve()));
    });
  const options = `-k ${folder} -c listen_addresses='' -c fsync=off`;
  const start = () => run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', options, '-w', 'start');
  const stop = () => run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N');
  await start();
  return {
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    start,
    stop,
    async remove() {
      await stop().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres']));
}
