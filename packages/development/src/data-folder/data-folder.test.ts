import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataFolderError, openDataFolder } from './data-folder.ts';
import { keptGenesisHash } from './genesis-hash.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('a folder is created, locked, and free again after unlock', async () => {
  const directory = join(parent, 'deep', 'data');
  const folder = await openDataFolder(directory, 'local');
  await expect(openDataFolder(directory, 'local')).rejects.toThrow(DataFolderError);
  await expect(openDataFolder(directory, 'local')).rejects.toThrow(
    `${directory} is in use by process ${process.pid}. Stop it, or name another folder with --data-dir.`,
  );
  await folder.unlock();
  await (await openDataFolder(directory, 'local')).unlock();
});

test('a folder that is not writable is rejected', async () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(openDataFolder(join(file, 'data'), 'local')).rejects.toThrow(
    /file\/data is not writable \(ENOTDIR.+\)\. Make it writable, or name another folder with --data-dir\.$/,
  );
});

test('a database without its chain is rejected, and the folder is unlocked', async () => {
  const directory = join(parent, 'half');
  mkdirSync(join(directory, 'database'), { recursive: true });
  const message = `${directory} has a database but no chain. Remove the folder, or name another with --data-dir.`;
  await expect(openDataFolder(directory, 'local')).rejects.toThrow(message);
  await expect(openDataFolder(directory, 'local')).rejects.toThrow(message);
});

test('a folder keeps its genesis hash, and another folder has another one', async () => {
  const one = await openDataFolder(join(parent, 'one'), 'local');
  const other = await openDataFolder(join(parent, 'other'), 'local');
  const genesisHash = await keptGenesisHash(one);
  expect(await keptGenesisHash(one)).toBe(genesisHash);
  expect(await keptGenesisHash(other)).not.toBe(genesisHash);
  writeFileSync(one.genesisHash, 'not a hash');
  const message = `${one.genesisHash} does not contain a genesis hash. Remove ${one.path}`;
  await expect(keptGenesisHash(one)).rejects.toThrow(message);
});

test('a chain from before its folder had a genesis hash keeps the default of localnet', async () => {
  const folder = await openDataFolder(join(parent, 'old'), 'local');
  writeFileSync(folder.chain, '');
  expect(await keptGenesisHash(folder)).toBeUndefined();
});
