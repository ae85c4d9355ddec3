import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getBase58Decoder, isBlockhash } from '@solana/kit';
import { type DataFolder, DataFolderError } from './data-folder.ts';
import { writeNewFile } from './write-new-file.ts';

/** Returns a new genesis hash. Each development stack has its own, so that clients can distinguish two stacks. */
export function newGenesisHash(): string {
  return getBase58Decoder().decode(randomBytes(32));
}

/**
 * Returns the genesis hash of the folder's chain, and stores a new one if the folder has no chain. Returns undefined for a
 * chain from before this file existed: it has localnet's default.
 *
 * @throws DataFolderError when the file does not contain a genesis hash.
 */
export async function keptGenesisHash(folder: DataFolder): Promise<string | undefined> {
  const { path, chain, genesisHash: file } = folder;
  if (existsSync(file)) {
    const text = (await readFile(file, 'utf8')).trim();
    if (isBlockhash(text)) return text;
    throw new DataFolderError(
      `${file} does not contain a genesis hash. Remove ${path}, or name another folder with --data-dir.`,
    );
  }
  if (existsSync(chain)) return undefined;
  const genesisHash = newGenesisHash();
  await writeNewFile(file, `${genesisHash}\n`);
  return genesisHash;
}
