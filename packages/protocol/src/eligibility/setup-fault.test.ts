import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { GENERATOR, publishedKey } from '../../test/support/published-key.ts';
import type { SetupProvenance } from './manifest.ts';
import { setupFault } from './setup-fault.ts';

const tool = 'snarkjs@0.7.6';
const beacon = { hash: 'ab'.repeat(32), iterationsExponent: 10 };
const secrets = {
  tool,
  power: 11,
  powersOfTau: 'ab'.repeat(64),
  contributions: ['Ada', 'Grace'].map((name) => ({ name, hash: 'cd'.repeat(64) })),
};
const claims: SetupProvenance[] = [
  { kind: 'operator', ...secrets },
  { kind: 'ceremony', ...secrets, phase2Beacon: beacon },
];
const developmentKey = async () =>
  new Uint8Array(await readFile(new URL('../../../circuit/artifacts/eligibility.key.bin', import.meta.url)));

/** Returns the published key with other bytes at a place. */
function changed(at: number, bytes: Uint8Array): Uint8Array {
  const key = Uint8Array.from(publishedKey());
  key.set(bytes, at);
  return key;
}

describe.each(claims)('a key of which the manifest says $kind', (setup) => {
  it('is accepted with published powers of tau and a secret', async () => {
    expect(await setupFault(setup, publishedKey())).toBeUndefined();
  });

  it('is not the key of the development setup', async () => {
    expect(await setupFault(setup, await developmentKey())).toContain('published powers of tau');
  });

  it.each([0, 63, 64, 191])('is rejected with another byte %i of the powers of tau', async (at) => {
    const key = changed(at, Uint8Array.of(publishedKey()[at]! ^ 1));
    expect(await setupFault(setup, key)).toContain('published powers of tau');
  });

  it('is rejected with another gamma, because its author could forge proofs', async () => {
    expect(await setupFault(setup, changed(200, Uint8Array.of(0)))).toContain('gamma');
  });

  it('is rejected if nobody contributed, and after the development beacon alone', async () => {
    const developmentDelta = (await developmentKey()).subarray(320, 448);
    for (const delta of [GENERATOR, developmentDelta]) {
      expect(await setupFault(setup, changed(320, delta))).toBe('nobody added a secret to the keys');
    }
  });
});

it('a development setup claims nothing', async () => {
  const setup: SetupProvenance = {
    kind: 'development',
    tool,
    power: 11,
    phase1Beacon: beacon,
    phase2Beacon: beacon,
  };
  expect(await setupFault(setup, await developmentKey())).toBeUndefined();
});
