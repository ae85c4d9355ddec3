import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
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

  it('refuses another length, and points off their curve', async () => {
    const key = new Uint8Array(await artifact('eligibility.key.bin'));
    const refusal = { code: 'VERIFYING_KEY_MALFORMED' };
    const refused = (bytes: Uint8Array) =>
      expect(() => unpackVerifyingKey(bytes)).toThrowError(expect.objectContaining(refusal));
    refused(key.slice(1));
    refused(new Uint8Array(VERIFYING_KEY_BYTES));
    for (const last of [63, 191, 319, 447, 511, 575]) {
      const changed = key.slice();
      changed[last] = (changed[last] ?? 0) ^ 1;
      refused(changed);
    }
  });
});
