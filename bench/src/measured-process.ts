/** Starts processes that measure, and asks them. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figure } from './row.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A process that answers requests. */
export interface Measured {
  /** Sends a request and returns the answer. Throws Error if the process fails or ends. */
  ask<T = Figure>(request: string, parameter?: unknown): Promise<T>;
  close(): Promise<void>;
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
  return {
    async ask<T>(request: string, parameter?: unknown) {
      const response = new Promise<T>((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (message: { answer?: T; error?: string }) => {
          child.off('exit', ended);
          if (message.error === undefined) resolve(message.answer as T);
          else reject(new Error(`${file} ${request}: ${message.error}`));
        });
      });
      child.send({ request, parameter });
      return response;
    },
    close: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Starts an own PostgreSQL. Returns the environment for openTestDatabase.
 *
 * @throws Error if PostgreSQL is not installed
 */
export async function startPostgres() {
  const child = spawn(
    join(ROOT, '.ci/with-postgres'),
    ['sh', '-c', 'echo "$TEST_DATABASE_URL"; cat >/dev/null'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(() => {
      throw new Error('PostgreSQL did not start. Run .ci/install-postgres.');
    }),
  ]);
  return {
    env: { TEST_DATABASE_URL: url },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
