import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { blake2b512, PUBLISHED_POWERS, publishedPowers } from '../scripts/ceremony/powers-of-tau.ts';

describe('published powers of tau', () => {
  let readme: string;
  beforeAll(async () => {
    const main = fileURLToPath(import.meta.resolve('snarkjs'));
    readme = await readFile(main.replace(/(?<=node_modules\/snarkjs\/).*/, 'README.md'), 'utf8');
  });

  it.each(Object.entries(PUBLISHED_POWERS))(
    'of 2^%s rows have the hash in the README of snarkjs',
    (power, hash) => {
      const row = readme.split('\n').find((line) => line.includes(`[powersOfTau28_hez_final_${power}.ptau]`));
      expect(row).toMatch(new RegExp(`\\| ${hash} \\|$`));
    },
  );

  it('are known by every byte', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const published = { 12: blake2b512(bytes) };
    expect(publishedPowers(bytes, published)).toEqual({ power: 12, hash: published[12] });
    for (const others of [Uint8Array.of(1, 2, 2), Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3, 0)]) {
      expect(() => publishedPowers(others, published)).toThrow('which is not published');
    }
    expect(() => publishedPowers(bytes)).toThrow('powersOfTau28_hez_final_11.ptau');
  });

  it('are hashed by BLAKE2b with 512 bits', () => {
    // The first test vector of RFC 7693.
    expect(blake2b512(new TextEncoder().encode('abc'))).toBe(
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    );
  });
});
