import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../../test/support/with-code.ts';
import { packVerifyingKey, unpackVerifyingKey, VERIFYING_KEY_BYTES } from './verifying-key.ts';

const artifact = (name: string) =>
  readFile(new URL(`../../../../circuit/artifacts/${name}`, import.meta.url));

describe('unpackVerifyingKey', () => {
  it('returns the key that was packed', async () => {
    const vkey = JSON.parse(await artifact('eligibility.vkey.json').then(String));
    const unpacked = unpackVerifyingKey(new Uint8Array(await artifact('eligibility.key.bin')));
    const { vk_alpha_1, vk_beta_2, vk_gamma_2, vk_delta_2, IC, nPublic } = vkey;
    expect(unpacked).toMatchObject({ vk_alpha_1, vk_beta_2, vk_gamma_2, vk_delta_2, IC, nPublic });
    expect(packVerifyingKey(unpacked)).toEqual(packVerifyingKey(vkey));
  });

  it('rejects another length, and points that are not on their curve', async () => {
    const key = new Uint8Array(await artifact('eligibility.key.bin'));
    const offCurve = [63, 191, 319, 447, 511, 575].map((last) => key.with(last, key[last]! ^ 1));
    for (const bytes of [key.slice(1), new Uint8Array(VERIFYING_KEY_BYTES), ...offCurve]) {
      expect(() => unpackVerifyingKey(bytes)).toThrow(withCode('VERIFYING_KEY_MALFORMED'));
    }
  });
});
