import { expect, it } from 'vitest';
import { callOutside } from '../lib/unexpected-error.ts';
import { orArtifactsInvalid } from './prover-errors.ts';

const fail = (error: Error) =>
  orArtifactsInvalid('key could not be read.', undefined, () => Promise.reject(error));

it('does not blame the artifacts for a mistake in the SDK', async () => {
  const cause = new TypeError('bytes.at is not a function');
  await expect(fail(cause)).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', cause });
});

it('blames the artifacts for what their place throws', async () => {
  await expect(fail(new Error('ENOENT'))).rejects.toMatchObject({ code: 'ARTIFACTS_INVALID' });
  const ofCaller = callOutside(() => Promise.reject(new TypeError('cache.get is not a function')));
  const error = await ofCaller.catch((thrown: Error) => thrown);
  await expect(fail(error as Error)).rejects.toMatchObject({ code: 'ARTIFACTS_INVALID' });
});
