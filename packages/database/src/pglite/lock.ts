/** The lock file next to a PGlite data folder. Two processes would destroy the folder. */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The process that holds a lock. Its start time distinguishes it from a later process with the same id. */
interface Holder {
  readonly pid: number;
  /** When the process started, in Unix milliseconds. */
  readonly since: number;
  readonly id: string;
}

/** Thrown if another process uses the data folder. */
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

/** Attempts at most. Each retry means that another process took or released the lock meanwhile. */
const TRIES = 10;

/**
 * Takes the lock `<directory>.lock`, outside the folder. Returns a function that releases it. Takes over the lock of a
 * process that has ended.
 *
 * @throws DatabaseLockedError while a running process holds it
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
 * Replaces the lock of a process that has ended. Returns false if another process was faster.
 *
 * 1. Links the own lock as the successor of that holder. Only one process can do that.
 * 2. Replaces the lock file. A process that dies before this gets a successor too, so the holder is the last of a chain.
 * 3. Removes the successors. A process that links one again sees that the lock file changed since it started.
 *
 * The lock file exists at every moment.
 *
 * @throws DatabaseLockedError while the last process of the chain is running
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

/** Creates a link; false if the name exists. A link appears with its whole content and never replaces another file. */
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

/** Parses a lock. Returns null for one that a power cut damaged, because its process has ended. */
function parseHolder(text: string): Holder | null {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return null;
  }
}

function isRunning({ pid, since }: Holder): boolean {
  // In a container, every run may have the same process id.
  if (pid === process.pid) return since === Math.round(performance.timeOrigin);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
