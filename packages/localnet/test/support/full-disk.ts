import { execFileSync } from 'node:child_process';

/** Calls a function while no file of this process can grow beyond a size, as on a full disk. */
export async function withFileSizeLimit(bytes: number, run: () => void | Promise<void>): Promise<void> {
  const limit = (value: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${value}:`]);
  limit(bytes);
  try {
    await run();
  } finally {
    limit('unlimited');
  }
}
