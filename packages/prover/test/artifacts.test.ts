import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compactKey } from '../src/key/compact-key.ts';
import { key, module, zkey } from './support/artifacts.ts';

const read = (name: string) => readFileSync(new URL(`../artifact/${name}`, import.meta.url));

it('prover.wasm has its digest, is small and imports nothing', () => {
  const wasm = read('prover.wasm');
  const digest = createHash('sha256').update(wasm).digest('hex');
  expect(read('prover.wasm.sha256').toString()).toBe(`${digest}  prover.wasm\n`);
  expect(wasm.length).toBeLessThan(130_000);
  expect(WebAssembly.Module.imports(module)).toEqual([]);
});

it('compactKey returns the same bytes each time, fewer than the zkey', () => {
  expect(Buffer.compare(compactKey(Uint8Array.from(zkey)), key)).toBe(0);
  expect(key.length).toBeLessThan(0.65 * zkey.length);
});

it.each([
  ['empty', new Uint8Array()],
  ['cut off', zkey.subarray(0, -1)],
  ['no zkey', zkey.with(0, 0)],
  ['of another protocol', zkey.with(24, 2)],
  ['of another curve', zkey.with(24 + 4 + 12 + 5, 0)],
])('compactKey rejects a file that is %s', (_, file) => {
  expect(() => compactKey(file)).toThrow(/^The proving key cannot be used: /);
});
