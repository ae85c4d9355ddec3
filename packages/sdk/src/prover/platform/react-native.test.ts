import { expect, it } from 'vitest';
import { artifacts, contextHash, realProof } from '../../../test/support/prover/real-proof.ts';
import * as node from './node.ts';
import * as reactNative from './react-native.ts';

it('exports what the other platforms export', () => {
  expect(Object.keys(reactNative).sort()).toEqual(Object.keys(node).sort());
});

it('has no prover, no worker and no local files, but verifies proofs', async () => {
  expect(reactNative.PROVER_MODULES).toBeUndefined();
  expect(() => reactNative.startProverWorker()).toThrow('no workers');
  await expect(reactNative.readLocalFile()).rejects.toThrow('Pass a url');
  const { verifyProof } = await reactNative.loadNativeSupport();
  expect(await verifyProof(realProof, contextHash, artifacts.vkey)).toBe(true);
  expect(await verifyProof(realProof, contextHash + 1n, artifacts.vkey)).toBe(false);
});
