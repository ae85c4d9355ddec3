/** The folder in which the development stack keeps itself over a restart. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseLockedError, lockDirectory } from '@service/server/process';

/** A folder that only this process uses, and where its parts are. */
export interface DataFolder {
  /** Journal of the local chain. */
  readonly chain: string;
  /** Folder of PGlite. */
  readonly database: string;
  /** Hosted sessions of the sandbox verifier. */
  readonly sessions: string;
  unlock(): Promise<void>;
}

/** A folder that cannot be used; the message names it and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Takes a folder, made when it is missing.
 *
 * @throws DataFolderError when another process uses it, it cannot be written, or only a part of it is left.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const folder = resolve(directory);
  const [chain, database] = [join(folder, 'chain'), join(folder, 'database')];
  const unlock = await mkdir(folder, { recursive: true })
    .then(() => lockDirectory(chain))
    .catch((error: unknown) => {
      throw refusal(folder, error);
    });
  // The chain is made first. With another one, the database would tell of transactions that never were.
  if (existsSync(database) && !existsSync(chain)) {
    await unlock();
    throw new DataFolderError(`${folder} has a database and no chain: remove it, or name another --data-dir`);
  }
  return { chain, database, sessions: join(folder, 'verifier-sessions.json'), unlock };
}

function refusal(folder: string, error: unknown): DataFolderError {
  const why =
    error instanceof DatabaseLockedError
      ? `is in use by ${error.by}: stop it first`
      : `cannot be written (${error instanceof Error ? error.message : String(error)}): make it writable`;
  return new DataFolderError(`${folder} ${why}, or name another --data-dir`, { cause: error });
}
