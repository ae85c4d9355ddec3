/** The folder in which the development stack keeps its data over a restart. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseLockedError, lockDirectory } from '@service/database';

/** A folder that only this process uses. */
export interface DataFolder {
  /** The folder's full path. */
  readonly path: string;
  /** Journal of the local chain. */
  readonly chain: string;
  /** Genesis hash of the local chain. */
  readonly genesisHash: string;
  /** Keys of a stack on a remote cluster. They are worth the SOL that they hold. */
  readonly keys: string;
  /** Folder of PGlite. */
  readonly database: string;
  /** Folder of the PGlite of the sandbox verifier. */
  readonly verifier: string;
  /** Folder of the checks of the sandbox provider. */
  readonly checks: string;
  unlock(): Promise<void>;
}

/** A folder that cannot be used. The message names it and says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Locks a folder for a stack on a local or on a remote cluster. Creates it if it does not exist.
 *
 * @throws DataFolderError when another process uses it, it is not writable, its chain is missing, or it belongs to the
 * other kind of cluster.
 */
export async function openDataFolder(directory: string, cluster: 'local' | 'remote'): Promise<DataFolder> {
  const path = resolve(directory);
  const chain = join(path, 'chain');
  const unlock = await mkdir(path, { recursive: true })
    .then(() => lockDirectory(chain))
    .catch((error: unknown) => {
      throw folderError(path, error);
    });
  const folder = {
    path,
    chain,
    genesisHash: join(path, 'genesis-hash'),
    keys: join(path, 'remote-keys.json'),
    database: join(path, 'database'),
    verifier: join(path, 'verifier'),
    checks: join(path, 'sandbox-checks'),
    unlock,
  };
  const fault = faultOf(folder, cluster);
  if (fault === null) return folder;
  await unlock();
  throw new DataFolderError(fault);
}

function faultOf({ path, chain, keys, database }: DataFolder, cluster: 'local' | 'remote'): string | null {
  if (cluster === 'remote') {
    return existsSync(chain)
      ? `${path} has a local chain. Start without --rpc-url, or name another folder with --data-dir.`
      : null;
  }
  if (existsSync(keys)) {
    return `${path} belongs to a remote cluster. Start with its --rpc-url, or name another folder with --data-dir.`;
  }
  // With a new chain, the database would contain transactions that do not exist.
  return existsSync(database) && !existsSync(chain)
    ? `${path} has a database but no chain. Remove the folder, or name another with --data-dir.`
    : null;
}

function folderError(folder: string, error: unknown): DataFolderError {
  const message =
    error instanceof DatabaseLockedError
      ? `${folder} is in use by ${error.by}. Stop it, or name another folder with --data-dir.`
      : `${folder} is not writable (${error instanceof Error ? error.message : String(error)}). Make it writable, or name another folder with --data-dir.`;
  return new DataFolderError(message, { cause: error });
}
