/** The lock file beside a PGlite data folder: two processes on one folder destroy it. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Who holds a lock: a process, told from a later one with the same id by when it began. */
interface Holder {
  readonly pid: number;
  /** Unix milliseconds at which the process began. */
  readonly since: number;
  readonly id: string;
}

/** A data folder that another process has open. */
export class DatabaseLockedError extends Error {
  override readonly name = 'DatabaseLockedError';
}

/**
 * Takes the lock `<directory>.lock`, outside the folder; returns the function that gives it back.
 * A lock whose process is gone is taken over.
 *
 * @throws DatabaseLockedError while a running process holds it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = `${resolve(directory)}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const holder: Holder = { pid: process.pid, since: Math.round(performance.timeOrigin), id: randomUUID() };
  const own = `${file}.${holder.id}`;
  await writeFile(own, JSON.stringify(holder));
  try {
    // A link appears with its content or not at all, and never replaces another's.
    await link(own, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await removeStale(file);
      await link(own, file).catch(() => {
        throw locked(file, 'another process');
      });
    });
  } finally {
    await rm(own, { force: true });
  }
  return async () => {
    if ((await readHolder(file))?.id === holder.id) await rm(file, { force: true });
  };
}

/** Moves a lock away whose process is gone. */
async function removeStale(file: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder && isRunning(holder)) throw locked(file, `process ${holder.pid}`);
  const moved = `${file}.${randomUUID()}`;
  await rename(file, moved).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const gone = await readHolder(moved);
  // Somebody was faster and the file moved was already theirs: it goes back.
  if (gone && gone.id !== holder?.id) await link(moved, file).catch(() => undefined);
  await rm(moved, { force: true });
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isRunning({ pid, since }: Holder): boolean {
  // In a container every run may have the same process id.
  if (pid === process.pid) return since === Math.round(performance.timeOrigin);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function locked(file: string, by: string): DatabaseLockedError {
  return new DatabaseLockedError(
    `The data folder is in use by ${by}: stop it first, or use PostgreSQL for several processes. (${file})`,
  );
}
