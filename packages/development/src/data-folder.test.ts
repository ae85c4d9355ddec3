import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataFolderError, openDataFolder } from './data-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('a folder is made, used by one at a time, and free again afterwards', async () => {
  const directory = join(parent, 'deep', 'data');
  const folder = await openDataFolder(directory);
  await expect(openDataFolder(directory)).rejects.toThrow(DataFolderError);
  await expect(openDataFolder(directory)).rejects.toThrow(
    `${directory} is in use by process ${process.pid}: stop it first, or name another --data-dir`,
  );
  await folder.unlock();
  await (await openDataFolder(directory)).unlock();
});

test('one that cannot be written is refused with what to do', async () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(openDataFolder(join(file, 'data'))).rejects.toThrow(
    /file\/data cannot be written \(ENOTDIR.+\): make it writable, or name another --data-dir$/,
  );
});

test('a database without its chain is refused, and the folder given back', async () => {
  const directory = join(parent, 'half');
  mkdirSync(join(directory, 'database'), { recursive: true });
  const why = `${directory} has a database and no chain: remove it, or name another --data-dir`;
  await expect(openDataFolder(directory)).rejects.toThrow(why);
  await expect(openDataFolder(directory)).rejects.toThrow(why);
});
