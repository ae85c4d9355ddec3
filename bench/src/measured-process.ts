/** Starts processes that measure, and asks them. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

/** A process that answers requests. */
export interface Measured {
  /** Sends a request and returns the answer. Throws Error if the process fails or ends. */
  ask<T>(request: string, parameter?: unknown): Promise<T>;
  close(): Promise<void>;
}

/** The processes of a row, which end with it, even if the row fails or takes too long. */
export class Processes {
  readonly #running = new Set<{ close(): Promise<void> }>();

  /** Starts a process: see startProcess. */
  start(...parameters: Parameters<typeof startProcess>): Measured {
    return this.#added(startProcess(...parameters));
  }

  /** Starts an own PostgreSQL: see startPostgres. */
  startPostgres(): ReturnType<typeof startPostgres> {
    return this.#added(startPostgres());
  }

  /** Ends the last process first, because it may use an earlier one. */
  async end(): Promise<void> {
    for (const each of [...this.#running].reverse()) await each.close();
    this.#running.clear();
  }

  #added<T extends { close(): Promise<void> }>(process: T): T {
    this.#running.add(process);
    return process;
  }
}

/**
 * Starts a file of bench/src/processes. A .mjs file runs in plain Node, as an application does. A .ts file runs with tsx.
 * A request names a function of the file, and each answer is an object `{ answer }` or `{ error }`.
 */
export function startProcess(
  file: string,
  {
    parameters = [],
    env = {},
  }: { parameters?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Measured {
  const child = fork(join(import.meta.dirname, 'processes', file), parameters, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    execArgv: file.endsWith('.ts') ? ['--import', 'tsx'] : [],
    // The table goes to stdout, and nothing else does.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed: Promise<never> = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  failed.catch(() => undefined);
  // A message that arrives before the process listens is lost, so it says when it does.
  const ready = once(child, 'message');
  ready.catch(() => undefined);
  return {
    async ask<T>(request: string, parameter?: unknown) {
      await Promise.race([ready, failed]);
      const response = once(child, 'message') as Promise<[{ answer?: T; error?: string }]>;
      child.send({ request, parameter });
      const [{ answer, error }] = await Promise.race([response, failed]);
      if (error !== undefined) throw new Error(`${file} ${request}: ${error}`);
      return answer as T;
    },
    close: () => end(child),
  };
}

/** A process that has not ended after this time is killed. */
const END_MS = 5_000;

/** Ends a process: it exits when its channel closes, and so do the processes that it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const limit = setTimeout(() => child.kill('SIGKILL'), END_MS);
  if (child.connected) child.disconnect();
  await exited;
  clearTimeout(limit);
}

/** Starts an own PostgreSQL. Its environment is for openTestDatabase, and rejects if PostgreSQL is not installed. */
function startPostgres() {
  const child = spawn(
    join(ROOT, '.ci/with-postgres'),
    ['sh', '-c', 'echo "$TEST_DATABASE_URL"; cat >/dev/null'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const failed: Promise<never> = exited.then(() => {
    throw new Error('PostgreSQL did not start. Run .ci/install-postgres.');
  });
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const env = Promise.race([line, failed]).then(([url]) => ({ TEST_DATABASE_URL: url }));
  env.catch(() => undefined);
  return {
    env,
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
