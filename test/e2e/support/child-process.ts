/** The service's own processes, as an operator runs them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const loader = ['--import', import.meta.resolve('tsx')];

/** A process that was started. */
export interface Child {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when stdout holds the text; rejects when the process ends before. */
  said(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts a TypeScript file of the repository with these variables and no other. */
export function startChild(
  file: string,
  { args = [], env, cwd }: { args?: readonly string[]; env: Record<string, string>; cwd: string },
): Child {
  const child = spawn(process.execPath, [...loader, join(root, file), ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!stdout.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`ended with ${code} before "${text}": ${stdout}${stderr}`)),
        );
      }),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
