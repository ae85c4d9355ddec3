import { generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { personKeyOf } from './person-key.ts';

it('is the same for the same verifier, and another one for each other verifier', async () => {
  const [verifier, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const key = await personKeyOf(verifier);
  expect(key).toHaveLength(32);
  expect(await personKeyOf(verifier)).toEqual(key);
  expect(await personKeyOf(other)).not.toEqual(key);
});
