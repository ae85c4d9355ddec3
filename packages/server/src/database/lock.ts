/** The lock file next to a PGlite data folder: two processes would destroy the folder. */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The process that holds a lock. Its start time distinguishes it from a later process with the same id. */
interface Holder {
  readonly pid: number;
  /** Unix milliseconds at which the process started. */
  readonly since: number;
  readonly id: string;
}

/** Another process has the data folder open. */
export class DatabaseLockedError extends Error {
  override readonly name = 'DatabaseLockedError';
  /** The holder, such as `process 4711`. */
  readonly by: string;

  constructor(file: string, by: string) {
    super(
      `The data folder is in use by ${by}. Stop it first, or use PostgreSQL for several processes. (${file})`,
    );
    this.by = by;
  }
}

/** Each retry means that another process took or released the lock meanwhile. */
const TRIES = 10;

/**
 * Takes the lock `<directory>.lock`, which is outside the folder. Returns the function that releases it.
 * Takes over a lock whose process has ended.
 *
 * @throws DatabaseLockedError while a running process holds it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = `${resolve(directory)}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const holder: Holder = { pid: process.pid, since: Math.round(performance.timeOrigin), id: randomUUID() };
  const own = `${file}.${holder.id}`;
  const text = JSON.stringify(holder);
  await writeFile(own, text);
  try {
    let isTaken = false;
    for (let tries = 0; tries < TRIES && !isTaken; tries++) {
      isTaken = (await linkNew(own, file)) || (await takeOver(own, file));
    }
    if (!isTaken) throw new DatabaseLockedError(file, 'another process');
  } finally {
    await rm(own, { force: true });
  }
  return async () => {
    if ((await readText(file)) === text) await rm(file, { force: true });
  };
}

/**
 * Replaces the lock of a process that has ended. Returns false when another process was faster. A process first links its
 * own lock as the successor of the old holder, which only one process can do. A process that dies before the replacement
 * gets a successor in the same way, so the holder is the last of a chain. Successors are removed only after the
 * replacement: a process that could link one again then finds another lock than it started with.
 *
 * @throws DatabaseLockedError while the last of the chain is a running process.
 */
async function takeOver(own: string, file: string): Promise<boolean> {
  const found = await readText(file);
  if (found === null) return false;
  const successors: string[] = [];
  for (let last: string | null = found; last !== null; ) {
    const holder = parseHolder(last);
    if (holder && isRunning(holder)) throw new DatabaseLockedError(file, `process ${holder.pid}`);
    const successor = `${file}.after-${createHash('sha256').update(last).digest('hex').slice(0, 32)}`;
    successors.push(successor);
    last = await readText(successor);
  }
  const mine = successors.at(-1)!;
  if (!(await linkNew(own, mine))) return false;
  const isStill = (await readText(file)) === found;
  if (isStill) await rename(own, file);
  for (const successor of isStill ? successors : [mine]) await rm(successor, { force: true });
  return isStill;
}

/** Links a file under a new name, atomically. Returns false when the name is taken. */
async function linkNew(own: string, name: string): Promise<boolean> {
  try {
    await link(own, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Parses a holder. Returns null for a file that a power cut damaged: its process has ended. */
function parseHolder(text: string): Holder | null {
  try {
    return JSON.parse(text) as Holder;
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
