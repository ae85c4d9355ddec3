import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT, startChild } from './support/child-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Copies a folder of the repository and changes a byte of one file. */
function corruptCopy(of: string, file: string): string {
  const copy = join(folder, file);
  cpSync(join(ROOT, of), copy, { recursive: true });
  const bytes = readFileSync(join(copy, file));
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(join(copy, file), bytes);
  return copy;
}

test.each([
  ['proving key', '--artifacts-directory', 'packages/circuit/artifacts', 'eligibility.zkey'],
  ['program', '--program', 'packages/program/artifact', 'program.so'],
])('the demo fails with a corrupted %s', { timeout: 300_000 }, async (_what, option, of, file) => {
  const copy = corruptCopy(of, file);
  const value = option === '--program' ? join(copy, file) : copy;
  const demo = startChild('test/demo/demo.ts', { args: [option, value], cwd: ROOT });
  expect(await demo.ended).toBe(1);
  expect(demo.stdout() + demo.stderr()).toContain(file);
});
