import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataFolderError, openDataFolder } from './data-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('a folder is created, locked, and free again after unlock', async () => {
  const directory = join(parent, 'deep', 'data');
  const folder = await openDataFolder(directory);
  await expect(openDataFolder(directory)).rejects.toThrow(DataFolderError);
  await expect(openDataFolder(directory)).rejects.toThrow(
    `${directory} is in use by process ${process.pid}. Stop it, or name another folder with --data-dir.`,
  );
  await folder.unlock();
  await (await openDataFolder(directory)).unlock();
});

test('a folder that is not writable is rejected', async () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(openDataFolder(join(file, 'data'))).rejects.toThrow(
    /file\/data is not writable \(ENOTDIR.+\)\. Make it writable, or name another folder with --data-dir\.$/,
  );
});

test('a database without its chain is rejected, and the folder is unlocked', async () => {
  const directory = join(parent, 'half');
  mkdirSync(join(directory, 'database'), { recursive: true });
  const message = `${directory} has a database but no chain. Remove the folder, or name another with --data-dir.`;
  await expect(openDataFolder(directory)).rejects.toThrow(message);
  await expect(openDataFolder(directory)).rejects.toThrow(message);
});
