import { compactKey } from '@service/circuit/compact-key';
import { expect, it } from 'vitest';
import { PROVER_WASM } from '../src/generated/prover-wasm.ts';
import { key, module, zkey } from './support/artifacts.ts';

it('the module is small and imports nothing', () => {
  expect(PROVER_WASM.length).toBeLessThan(180_000);
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
