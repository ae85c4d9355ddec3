import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseLockedError, lockDirectory } from './lock.ts';

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'lock-')), 'data');
});
afterEach(() => rm(dirname(directory), { recursive: true }));

const lockFile = () => `${directory}.lock`;
/** Returns the names of the files next to the folder. */
const files = () => readdir(dirname(directory));
/** Locks the folder 20 times at once, and expects that one of them succeeds and that nothing else remains. */
async function expectOneOfManyLocks(): Promise<void> {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await files()).toEqual(['data.lock']);
}

test('a lock is next to the folder, has one holder, and is deleted on release', async () => {
  const unlock = await lockDirectory(directory);
  expect(await files()).toEqual(['data.lock']);
  await expect(lockDirectory(directory)).rejects.toThrow(DatabaseLockedError);
  await expect(lockDirectory(directory)).rejects.toThrow(/Stop it first/);
  await unlock();
  expect(await files()).toEqual([]);
  await (await lockDirectory(directory))();
});

test('one of many simultaneous processes gets the lock', () => expectOneOfManyLocks());

/** Returns the id of a process that has ended. */
async function gonePid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

test('one process takes over the lock of a process that has ended', async () => {
  const pid = await gonePid();
  for (let round = 0; round < 10; round++) {
    await writeFile(lockFile(), JSON.stringify({ pid, since: 1, id: `gone ${round}` }));
    await expectOneOfManyLocks();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  }
});

test('one process succeeds a process that died during a takeover, and leaves no files', async () => {
  const pid = await gonePid();
  const first = JSON.stringify({ pid, since: 1, id: 'gone' });
  await writeFile(lockFile(), first);
  const name = createHash('sha256').update(first).digest('hex').slice(0, 32);
  await writeFile(`${lockFile()}.after-${name}`, JSON.stringify({ pid, since: 2, id: 'gone half-way' }));
  await expectOneOfManyLocks();
});

test('the lock is not free while a running process takes it over', async () => {
  const first = JSON.stringify({ pid: await gonePid(), since: 1, id: 'gone' });
  await writeFile(lockFile(), first);
  const name = createHash('sha256').update(first).digest('hex').slice(0, 32);
  const running = { pid: process.ppid, since: 1, id: 'about to replace it' };
  await writeFile(`${lockFile()}.after-${name}`, JSON.stringify(running));
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.ppid}`);
  expect(await readFile(lockFile(), 'utf8')).toBe(first);
});

test('a lock that a power cut damaged is taken over', async () => {
  await writeFile(lockFile(), '');
  await (await lockDirectory(directory))();
  expect(await files()).toEqual([]);
});

test('the lock of an earlier run with the same process id is taken over', async () => {
  await writeFile(lockFile(), JSON.stringify({ pid: process.pid, since: 1, id: 'before' }));
  await (await lockDirectory(directory))();
});

test('the lock of another running process is respected', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  try {
    await writeFile(lockFile(), JSON.stringify({ pid: child.pid, since: 1, id: 'other' }));
    await expect(lockDirectory(directory)).rejects.toThrow(`process ${child.pid}`);
  } finally {
    child.kill();
  }
});

test('a process that lost its lock does not release it', async () => {
  const unlock = await lockDirectory(directory);
  await writeFile(lockFile(), JSON.stringify({ pid: process.pid, since: 1, id: 'another' }));
  await unlock();
  expect(await files()).toEqual(['data.lock']);
});
