import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { blake2b512, PUBLISHED_POWERS, secretOfPowers } from '../scripts/powers-of-tau.ts';

describe('the secret of powers of tau', () => {
  let readme: string;
  beforeAll(async () => {
    const main = fileURLToPath(import.meta.resolve('snarkjs'));
    readme = await readFile(main.replace(/(?<=node_modules\/snarkjs\/).*/, 'README.md'), 'utf8');
  });

  it.each(Object.entries(PUBLISHED_POWERS))(
    'is unknown for the published ones of 2^%s rows',
    (name, hash) => {
      const power = Number(name);
      const row = readme.split('\n').find((line) => line.includes(`[powersOfTau28_hez_final_${power}.ptau]`));
      expect(row).toMatch(new RegExp(`\\| ${hash} \\|$`));
      expect(secretOfPowers({ power, hash, secretContributions: 0 })).toContain('published');
    },
  );

  it('is public if no person contributed to others', () => {
    const hash = PUBLISHED_POWERS[11]!;
    for (const others of [
      { power: 12, hash },
      { power: 11, hash: hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) },
      { power: 10, hash: blake2b512(new Uint8Array()) },
    ]) {
      expect(() => secretOfPowers({ ...others, secretContributions: 0 })).toThrow(
        'anyone can compute its tau',
      );
      expect(secretOfPowers({ ...others, secretContributions: 1 })).toContain('secret: 1');
    }
  });

  it('uses BLAKE2b with 512 bits', () => {
    // The first test vector of RFC 7693.
    expect(blake2b512(new TextEncoder().encode('abc'))).toBe(
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    );
  });
});
