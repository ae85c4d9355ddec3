/** Faults of the database and of the connections to it. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { isAlive } from '../system/database/database.ts';
import { type Postgres, ROLE } from '../system/database/postgres.ts';
import { pause } from '../wait.ts';
import { during, type FaultKind } from './fault.ts';

const connectionsCut: FaultKind = {
  name: 'database connections cut',
  area: 'database connections',
  async inject({ database }, { random }) {
    for (const proxy of random.next() < 0.5 ? database.proxies : [random.pick(database.proxies)]) proxy.cut();
  },
};

/** Resumes, or loses, the connections that were silent. */
const silence = (lose: boolean): FaultKind => ({
  name: lose ? 'database connections silent, then lost' : 'database connections silent',
  area: 'database connections',
  inject({ database: { proxies } }, { ms, random }) {
    const hit = random.next() < 0.5 ? proxies : [random.pick(proxies)];
    return during(
      ms,
      () => {
        for (const proxy of hit) proxy.silence();
      },
      () => {
        for (const proxy of hit) proxy.resume({ lose });
      },
    );
  },
});

const restarted = (mode: 'fast' | 'immediate'): FaultKind => ({
  name: `PostgreSQL restarted (${mode})`,
  area: 'database server',
  inject: ({ database: { primary } }, { ms }) => during(ms / 2, () => primary.stop(mode), primary.start),
});

const promoted: FaultKind = {
  name: 'standby promoted',
  area: 'database server',
  inject: ({ database }) => database.failOver(),
};

const exhausted: FaultKind = {
  name: 'connections exhausted',
  area: 'database server',
  async inject({ database }, { ms }) {
    const taken: pg.Client[] = [];
    const end = performance.now() + ms;
    let isCut = false;
    while (performance.now() < end) {
      while (await takeConnection(database.primary, taken));
      // The servers' own connections are cut once, so that they need new ones.
      if (!isCut) for (const proxy of database.proxies) proxy.cut();
      isCut = true;
      await pause(20);
    }
    await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
  },
};

async function takeConnection({ folder, port }: Postgres, taken: pg.Client[]): Promise<boolean> {
  const client = new pg.Client({ host: folder, port, user: ROLE, database: ROLE });
  client.on('error', () => undefined);
  try {
    await client.connect();
    taken.push(client);
    return true;
  } catch {
    return false;
  }
}

/**
 * No file can grow beyond its first page: writes of tables fail with an error, and writes of the log end all of PostgreSQL's
 * processes. `withFirst` also limits its first process. Then it cannot start the others again before there is space.
 */
const diskFull = (withFirst: boolean): FaultKind => ({
  name: withFirst ? 'disk full until space is freed' : 'disk full for a moment',
  area: 'database server',
  async inject({ database: { primary } }, { ms }) {
    const first = primary.pid()!;
    const limit = (pid: number, bytes: string) => {
      try {
        primary.runTool('prlimit', '--pid', `${pid}`, `--fsize=${bytes}:`);
      } catch {
        // The process has ended.
      }
    };
    for (const pid of [...(withFirst ? [first] : []), ...childrenOf(first)]) limit(pid, '8192');
    await pause(ms);
    if (isAlive(primary)) for (const pid of [first, ...childrenOf(first)]) limit(pid, 'unlimited');
    await pause(100);
    // PostgreSQL gives up when it cannot write during recovery. An operator starts it again.
    if (!isAlive(primary)) await primary.start();
  },
});

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/** The faults that rounds contain. */
export const databaseFaults: readonly FaultKind[] = [
  connectionsCut,
  silence(false),
  silence(true),
  restarted('fast'),
  restarted('immediate'),
  promoted,
  exhausted,
  diskFull(false),
  diskFull(true),
];
