/** The folder in which the development stack keeps its data over a restart. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseLockedError, lockDirectory } from '@service/server/process';

/** A folder that only this process uses. */
export interface DataFolder {
  /** Journal of the local chain. */
  readonly chain: string;
  /** Folder of PGlite. */
  readonly database: string;
  /** File with the sessions of the sandbox verifier. */
  readonly sessions: string;
  unlock(): Promise<void>;
}

/** A folder that cannot be used. The message names it and says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Locks a folder. Creates it if it does not exist.
 *
 * @throws DataFolderError when another process uses it, it is not writable, or its chain is missing.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const folder = resolve(directory);
  const [chain, database] = [join(folder, 'chain'), join(folder, 'database')];
  const unlock = await mkdir(folder, { recursive: true })
    .then(() => lockDirectory(chain))
    .catch((error: unknown) => {
      throw folderError(folder, error);
    });
  // With a new chain, the database would contain transactions that do not exist.
  if (existsSync(database) && !existsSync(chain)) {
    await unlock();
    throw new DataFolderError(
      `${folder} has a database but no chain. Remove the folder, or name another with --data-dir.`,
    );
  }
  return { chain, database, sessions: join(folder, 'verifier-sessions.json'), unlock };
}

function folderError(folder: string, error: unknown): DataFolderError {
  const message =
    error instanceof DatabaseLockedError
      ? `${folder} is in use by ${error.by}. Stop it, or name another folder with --data-dir.`
      : `${folder} is not writable (${error instanceof Error ? error.message : String(error)}). Make it writable, or name another folder with --data-dir.`;
  return new DataFolderError(message, { cause: error });
}
