import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from './command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-key-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Returns the exit code and what the command prints. */
async function newKey(...args: string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const code = await run(['new-key', ...args]);
  return { code, out: out.mock.calls.flat().join('\n'), err: err.mock.calls.flat().join('\n') };
}

test('writes a key that only the user can read, and prints its address', async () => {
  const file = join(folder, 'payer.json');
  const { code, out } = await newKey(file);
  expect(code).toBe(0);
  const signer = await createKeyPairSignerFromBytes(new Uint8Array(JSON.parse(await readFile(file, 'utf8'))));
  expect(out).toBe(signer.address);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('never overwrites a file', async () => {
  const file = join(folder, 'payer.json');
  await writeFile(file, 'a key');
  expect(await newKey(file)).toMatchObject({ code: 2, err: expect.stringContaining('It exists.') });
  expect(await readFile(file, 'utf8')).toBe('a key');
});

test('names a file that cannot be written, and needs one file', async () => {
  const missing = await newKey(join(folder, 'none', 'payer.json'));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('(ENOENT)') });
  for (const args of [[], ['a.json', 'b.json'], ['--force']]) expect((await newKey(...args)).code).toBe(2);
});
