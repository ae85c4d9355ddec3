import { expect, it, vi } from 'vitest';
import { artifacts, attributes, facts } from '../../../test/support/prover/eligible.ts';
import * as reactNative from './react-native.ts';

vi.mock('./index.ts', () => reactNative);

it('names the native prover that an app must pass, and loads no artifacts without it', async () => {
  const { proveFacts } = await import('../prove-facts.ts');
  const load = vi.fn(async () => artifacts);
  const error = { code: 'PROVER_FAILED', message: expect.stringContaining('Pass a native prover') };
  await expect(proveFacts(facts, attributes, { digest: artifacts.digest, load })).rejects.toMatchObject(
    error,
  );
  expect(load).not.toHaveBeenCalled();
});
