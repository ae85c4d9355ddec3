/**
 * Runs a program until standard input ends, which also happens when the parent process is killed. Then ends the program by
 * its id and removes a folder. Arguments: the folder, the program, its arguments.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Milliseconds that the program has to end by itself. */
const GRACE_MS = 5_000;

const [folder, program, ...args] = process.argv.slice(2) as [string, string, ...string[]];
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.once('error', (error) => {
  console.error(error.message);
  finish(1);
});
child.once('exit', (code, signal) => finish(signal === null ? (code ?? 1) : 1));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
// The parent may be gone when the program writes.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
process.stdin.once('end', end).once('error', end).resume();

function end(): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
}

function finish(code: number): void {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
