/** The processes of the service, as an operator starts them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../../..');

/** A running process. */
export interface Child {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when stdout contains the text. Rejects when the process ends first. */
  printed(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Options of `startChild`. */
export interface ChildOptions {
  args?: readonly string[];
  /** The environment variables, in addition to PATH. @default none */
  env?: Record<string, string>;
  cwd: string;
}

/** Starts a TypeScript file of the repository. */
export function startChild(file: string, { args = [], env = {}, cwd }: ChildOptions): Child {
  const loader = ['--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...loader, join(ROOT, file), ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    async printed(text) {
      while (!stdout.includes(text)) {
        const code = await Promise.race([once(child.stdout, 'data').then(() => null), ended]);
        if (code !== null && !stdout.includes(text))
          throw new Error(`ended with ${code} before "${text}": ${stdout}${stderr}`);
      }
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Kills processes and waits until they have ended. */
export async function killAll(children: readonly Child[]): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
}
