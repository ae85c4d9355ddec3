/** The keys of a stack on a remote cluster. Anyone can make the keys of the local stack, so a remote one has its own. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { genesisHashField, hexField } from '@service/contract';
import type { DevelopmentKeys } from '@service/localnet';
import { createKeyPairSignerFromPrivateKeyBytes, getBase16Encoder } from '@solana/kit';
import * as z from 'zod/mini';
import { type DataFolder, DataFolderError } from './data-folder.ts';
import { writeNewFile } from './write-new-file.ts';

/** Seeds of the keys: 32 bytes as hex. */
const keysRecord = z.object({
  genesisHash: genesisHashField,
  keys: z.object({
    program: hexField,
    upgradeAuthority: hexField,
    governance: hexField,
    payer: hexField,
    verifier: hexField,
    feePayer: hexField,
  }),
});
type Seeds = z.infer<typeof keysRecord>['keys'];

/** The keys, and the cluster that they were made for. */
export interface RemoteKeys {
  readonly keys: DevelopmentKeys;
  readonly genesisHash: string;
}

/**
 * Reads the keys in the folder. Without a file, makes new ones for this cluster and stores them. Without a folder, makes new
 * ones each time.
 *
 * @throws DataFolderError when the file is damaged.
 */
export async function remoteKeys(folder: DataFolder | null, genesisHash: string): Promise<RemoteKeys> {
  if (folder && existsSync(folder.keys)) return readKeys(folder);
  const seed = () => randomBytes(32).toString('hex');
  const keys: Seeds = {
    program: seed(),
    upgradeAuthority: seed(),
    governance: seed(),
    payer: seed(),
    verifier: seed(),
    feePayer: seed(),
  };
  // Stored before the first transaction: nobody could use what a lost key has deployed.
  if (folder) await writeNewFile(folder.keys, `${JSON.stringify({ genesisHash, keys }, null, 2)}\n`);
  return { genesisHash, keys: await signersOf(keys) };
}

async function readKeys(folder: DataFolder): Promise<RemoteKeys> {
  try {
    const { genesisHash, keys } = z.parse(keysRecord, JSON.parse(await readFile(folder.keys, 'utf8')));
    return { genesisHash, keys: await signersOf(keys) };
  } catch {
    // Without the cause, which could show a key.
    throw new DataFolderError(
      `${folder.keys} is damaged. Restore it, or name another folder with --data-dir.`,
    );
  }
}

async function signersOf(seeds: Seeds): Promise<DevelopmentKeys> {
  const encoder = getBase16Encoder();
  const signer = (seed: string, extractable = false) =>
    createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(encoder.encode(seed)), extractable);
  const [program, upgradeAuthority, governance, payer, verifier, feePayer] = await Promise.all([
    signer(seeds.program),
    signer(seeds.upgradeAuthority),
    signer(seeds.governance),
    signer(seeds.payer),
    // Extractable, because a verifier in another process can have it.
    signer(seeds.verifier, true),
    signer(seeds.feePayer),
  ]);
  return { program, upgradeAuthority, governance, payer, verifier, feePayer };
}
