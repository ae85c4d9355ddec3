import { readArtifacts } from '@service/circuit';
import type { SetupProvenance } from '@service/protocol/eligibility';
import { describe, expect, it } from 'vitest';
import { assertContributions, readContributions } from '../src/key/contributions.ts';

const { manifest, zkey } = await readArtifacts();
const { setup } = manifest;
if (setup.kind !== 'development') throw new Error('The committed artifacts have another setup.');

describe('a manifest', () => {
  const origin = { tool: setup.tool, power: setup.power, powersOfTau: '0'.repeat(128) };
  const contributions = [
    { name: 'Ada', hash: '1'.repeat(128) },
    { name: 'Grace', hash: '2'.repeat(128) },
  ];
  const { phase2Beacon } = setup;

  it('of the committed key names its beacon', () => {
    expect(readContributions(zkey)).toEqual([
      { name: 'development', hash: expect.stringMatching(/^[0-9a-f]{128}$/), beacon: phase2Beacon },
    ]);
    expect(() => assertContributions({ setup }, zkey)).not.toThrow();
  });

  it.each<[string, SetupProvenance]>([
    ['people', { ...origin, kind: 'ceremony', contributions, phase2Beacon }],
    ['an operator', { ...origin, kind: 'operator', contributions: contributions.slice(0, 1) }],
    ['another beacon', { ...setup, phase2Beacon: { ...phase2Beacon, hash: 'ab'.repeat(32) } }],
    ['another exponent', { ...setup, phase2Beacon: { ...phase2Beacon, iterationsExponent: 11 } }],
  ])('of others than the key has is rejected: %s', (_, other) => {
    expect(() => assertContributions({ setup: other }, zkey)).toThrow('names other contributions');
  });
});

describe('the contributions', () => {
  /** The offset of the list in the committed key. Its only contribution follows the hash of the constraints and the count. */
  const start = zkey.length - readSection();

  it('of a key that ends within one are refused', () => {
    for (const size of [start - 1, start + 66, start + 68 + 300, zkey.length - 1])
      expect(() => readContributions(zkey.slice(0, size))).toThrow('The proving key cannot be used');
  });

  it('are refused if one is neither a secret nor a beacon', () => {
    // After the points and the transcript: the kind.
    const kind = start + 68 + 3 * 64 + 128 + 64;
    expect(zkey[kind]).toBe(1);
    for (const other of [0, 2]) {
      const changed = Uint8Array.from(zkey);
      changed[kind] = other;
      expect(() => readContributions(changed)).toThrow('neither a secret nor a beacon');
    }
  });

  it('are refused if a parameter is unknown or comes twice', () => {
    const parameters = start + 68 + 3 * 64 + 128 + 64 + 8;
    expect([...zkey.slice(parameters, parameters + 2)]).toEqual([1, 'development'.length]);
    for (const other of [0, 4]) {
      const changed = Uint8Array.from(zkey);
      changed[parameters] = other;
      expect(() => readContributions(changed)).toThrow('a parameter of a contribution is unknown');
    }
  });

  function readSection(): number {
    // The list is the last section, of one contribution with the name and the beacon of the development setup.
    return 64 + 4 + 3 * 64 + 128 + 64 + 8 + (2 + 'development'.length) + 2 + (2 + 32);
  }
});
