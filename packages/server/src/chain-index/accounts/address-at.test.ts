import { randomBytes } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';
import { expect, it } from 'vitest';
import { addressAt } from './address-at.ts';

const edges = [0, 1, 57, 58, 255].flatMap((byte) =>
  [0, 1, 2, 16, 31, 32].map((zeros) => Buffer.concat([Buffer.alloc(zeros), Buffer.alloc(32 - zeros, byte)])),
);
const ones = Array.from({ length: 32 }, (_, at) => Buffer.alloc(32).fill(1, at, at + 1));

it('returns the address that kit decodes', () => {
  for (const bytes of [...edges, ...ones, ...Array.from({ length: 2_000 }, () => randomBytes(32))]) {
    const data = Buffer.concat([randomBytes(3), bytes, randomBytes(5)]);
    expect(addressAt(data, 3)).toBe(getAddressDecoder().decode(bytes));
  }
});

it('throws if the data ends before the address', () => {
  expect(() => addressAt(Buffer.alloc(34), 3)).toThrow(RangeError);
});
