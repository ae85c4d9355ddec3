/** A program that runs until the test stops it, as a supervisor runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A running program. */
export interface Program {
  /** Resolves when its output contains the text. Rejects with the output if it ends first. */
  printed(text: string): Promise<void>;
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Ends it and its children with SIGTERM, and resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a program with these environment variables only, and with PATH. */
export function startProgram(
  command: string,
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Program {
  // A group of its own, so that a wrapper and what it runs get the signal together.
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    ended,
    async printed(text) {
      while (!output.includes(text)) {
        const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
        const isOver = await Promise.race([more.then(() => false), ended.then(() => true)]);
        if (isOver && !output.includes(text)) throw new Error(`${command} ended before "${text}": ${output}`);
      }
    },
    async stop() {
      try {
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended meanwhile.
      }
      return ended;
    },
  };
}
