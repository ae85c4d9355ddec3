import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The demo's exit code and what it said. */
function demo(...options: string[]): Promise<{ code: number; said: string }> {
  const loader = ['--import', import.meta.resolve('tsx')];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...loader, join(root, 'test/demo/demo.ts'), ...options],
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}

function corrupt(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(file, bytes);
}

test('the demo fails with a corrupted proving key', async () => {
  const artifacts = join(folder, 'artifacts');
  cpSync(join(root, 'packages/circuit/artifacts'), artifacts, { recursive: true });
  corrupt(join(artifacts, 'eligibility.zkey'));
  const { code, said } = await demo('--artifacts', artifacts);
  expect(code).toBe(1);
  expect(said).toContain('eligibility.zkey');
});

test('the demo fails with a corrupted program', async () => {
  const program = join(folder, 'program');
  cpSync(join(root, 'packages/program/artifact'), program, { recursive: true });
  corrupt(join(program, 'program.so'));
  const { code, said } = await demo('--program', join(program, 'program.so'));
  expect(code).toBe(1);
  expect(said).toContain('program.so');
});
