import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../test/support/with-code.ts';
import { type ArtifactManifest, canonicalJson, manifestDigest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';

const sha256 = 'ab'.repeat(32);
const beacon = { hash: sha256, iterationsExponent: 10 };
const file = (name: string) => ({ name, size: 5, sha256 });
const manifest: ArtifactManifest = {
  circuit: 'eligibility-2',
  protocol: 'groth16',
  curve: 'bn128',
  publicSignals: ['contextHash'],
  compiler: { name: 'circom', version: '2.2.3', package: 'circom2@0.2.23', flags: ['--O2'] },
  source: { files: [{ name: 'a.circom', sha256 }], libraries: ['circomlib@2.0.5'] },
  constraints: 1658,
  setup: {
    kind: 'development',
    tool: 'snarkjs@0.7.6',
    power: 11,
    phase1Beacon: beacon,
    phase2Beacon: beacon,
  },
  files: { wasm: file('a.wasm'), zkey: file('a.zkey'), vkey: file('a.json'), key: file('a.bin') },
};
const invalid = withCode('MANIFEST_INVALID');

/** Replaces the value at a path, such as `files.wasm.size`, in a copy. */
function withChange(path: string, value: unknown, from: object = manifest): unknown {
  const copy = structuredClone(from) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

describe('canonicalJson', () => {
  it('sorts keys at every level and writes no white space', () => {
    const sorted = '{"B":0,"a":{},"b":[{"a":"é\\"","z":1}]}';
    expect(canonicalJson({ b: [{ z: 1, a: 'é"' }], B: 0, a: {} })).toBe(sorted);
  });

  it('parses back to the same value, whatever the order of keys', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.maxSafeInteger().filter((n) => !Object.is(n, -0)),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('any')),
        fc.dictionary(fc.string(), tie('any'), { noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (input) => {
        const text = canonicalJson(input);
        expect(canonicalJson(reverseKeys(JSON.parse(text)))).toBe(text);
      }),
    );
  });

  it.each([[null], [true], [1.5], [undefined], [-0], [2 ** 53], [new Date(0)], [[null]], [{ a: undefined }]])(
    'rejects %j',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(invalid);
    },
  );
});

describe('manifestDigest', () => {
  it('is SHA-256 of the canonical JSON', async () => {
    const expected = createHash('sha256').update(canonicalJson(manifest)).digest('hex');
    expect(await manifestDigest(manifest)).toBe(expected);
    expect(await manifestDigest(reverseKeys(manifest) as ArtifactManifest)).toBe(expected);
  });

  it('covers keys that this version does not know', async () => {
    const noted = { ...manifest, note: 'x' } as ArtifactManifest;
    expect(await manifestDigest(noted)).not.toBe(await manifestDigest(manifest));
  });
});

describe('parseManifest', () => {
  it('accepts a manifest with unknown keys', () => {
    expect(parseManifest({ ...manifest, note: 'x' })).toEqual({ ...manifest, note: 'x' });
  });

  it.each([
    ['circuit', 'é'.repeat(17)],
    ['circuit', ''],
    ['protocol', 'plonk'],
    ['curve', 'bls12381'],
    ['publicSignals', []],
    ['publicSignals', 'contextHash'],
    ['compiler', null],
    ['compiler.flags', [1]],
    ['constraints', 0],
    ['source', undefined],
    ['setup.kind', 'none'],
    ['setup.power', 1.5],
    ['setup.phase1Beacon', {}],
    ['setup.phase2Beacon', undefined],
    ['setup.tool', ''],
    ['files', []],
    ['files.key', undefined],
    ['files.wasm.name', '../a.wasm'],
    ['files.wasm.name', '.hidden'],
    ['files.wasm.name', 'a/b'],
    ['files.wasm.name', 'a\\b'],
    ['files.zkey.name', 'a.wasm'],
    ['files.key.name', 'manifest.json'],
    ['files.compactKey', file('a.zkey')],
    ['files.compactKey', file('manifest.json')],
    ['files.wasm.size', -1],
    ['files.wasm.size', 2 ** 40],
    ['files.zkey.sha256', 'AB'.repeat(32)],
    ['files.vkey.sha256', 'ab'],
  ])('rejects %s = %j', (path, value) => {
    expect(() => parseManifest(withChange(path, value))).toThrow(invalid);
  });

  const contribution = { name: 'Ada', hash: 'ab'.repeat(64) };
  const secrets = { tool: 'snarkjs@0.7.6', power: 11, powersOfTau: 'ab'.repeat(64) };
  const operator = { kind: 'operator', ...secrets, contributions: [contribution] };
  const ceremony = {
    kind: 'ceremony',
    ...secrets,
    contributions: [contribution, contribution],
    phase2Beacon: beacon,
  };

  it('accepts the keys of an operator and of a ceremony', () => {
    for (const setup of [operator, ceremony]) {
      expect(parseManifest({ ...manifest, setup })).toEqual({ ...manifest, setup });
    }
  });

  it.each([
    ['powersOfTau', 'ab'.repeat(32)],
    ['powersOfTau', undefined],
    ['contributions', undefined],
    ['contributions', []],
    ['contributions', [contribution.name]],
    ['contributions.0.name', ''],
    ['contributions.0.hash', 'ab'.repeat(32)],
  ])('rejects setup.%s = %j with secrets', (path, value) => {
    for (const setup of [operator, ceremony]) {
      const changed = withChange(`setup.${path}`, value, { ...manifest, setup });
      expect(() => parseManifest(changed)).toThrow(invalid);
    }
  });

  it.each([
    ['contributions', [contribution]],
    ['phase2Beacon', undefined],
    ['phase2Beacon', {}],
  ])('rejects setup.%s = %j of a ceremony', (path, value) => {
    const changed = withChange(`setup.${path}`, value, { ...manifest, setup: ceremony });
    expect(() => parseManifest(changed)).toThrow(invalid);
  });

  it.each([[null], ['text'], [[]], [1]])('rejects %j', (value) => {
    expect(() => parseManifest(value)).toThrow(invalid);
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reverseKeys(member)]);
  return Object.fromEntries(members.reverse());
}
