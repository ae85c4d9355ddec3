/** The processes of the service, as an operator starts them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../../..');

/** A running process. */
export type Child = ReturnType<typeof startChild>;

/** Options of `startChild`. */
export interface ChildOptions {
  args?: readonly string[];
  /** Environment variables besides PATH and those of tsx. @default none */
  env?: Record<string, string>;
  cwd: string;
}

const started: { kill(signal: NodeJS.Signals): void; ended: Promise<unknown> }[] = [];

/** Starts a TypeScript file by its path in the repository, as the scripts of package.json do, or a bundle by its full path. */
export function startChild(file: string, { args = [], env = {}, cwd }: ChildOptions) {
  const loader = file.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
  const child = spawn(process.execPath, [...loader, resolve(ROOT, file), ...args], {
    cwd,
    // tsx then resolves the packages to their sources in any working directory.
    env: { PATH: process.env.PATH, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const running = {
    stdout: () => stdout,
    stderr: () => stderr,
    /** Resolves when stdout contains the text. Rejects when the process ends first. */
    async printed(text: string): Promise<void> {
      while (!stdout.includes(text)) {
        const code = await Promise.race([once(child.stdout, 'data').then(() => null), ended]);
        if (code !== null && !stdout.includes(text))
          throw new Error(`ended with ${code} before "${text}": ${stdout}${stderr}`);
      }
    },
    /** Closes the pipes of its output, as a log shipper does that ends. */
    stopReading(): void {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** The exit code, or the signal that ended the process. */
    ended,
  };
  started.push(running);
  return running;
}

/** Kills the processes that `startChild` started, and waits until they have ended. */
export async function killAll(): Promise<void> {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
}

/** Returns a port on loopback that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
