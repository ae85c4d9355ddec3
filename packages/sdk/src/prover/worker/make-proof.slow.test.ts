import { circuitInput, decodeProof } from '@service/protocol/eligibility';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  attributes,
  contextOf,
  facts,
  input,
  ownArtifacts,
  artifacts as snarkjsArtifacts,
} from '../../../test/support/prover/eligible.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import type { ProofProgress } from '../progress.ts';
import { proveFacts } from '../prove-facts.ts';
import * as own from './own/make-proof.ts';
import { OwnProverFailure } from './own-prover-failure.ts';
import { type CurveUse, withCurve } from './snarkjs/curve.ts';
import * as snarkjs from './snarkjs/make-proof.ts';
import type { Curve } from './snarkjs/snarkjs-api.ts';

const quiet = { onProgress: () => {} };
const artifacts = { ...snarkjsArtifacts, ...ownArtifacts };
const verifyingKey = JSON.parse(new TextDecoder().decode(artifacts.vkey));

// On this thread snarkjs's witness calculator also prints each rejection.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
// Other users of snarkjs in the same thread must not get this curve.
afterEach(() => void expect((globalThis as { curve_bn128?: unknown }).curve_bn128 ?? null).toBeNull());
afterAll(() => {
  own.release();
  snarkjs.release();
});

/** Returns whether snarkjs verifies a proof with the committed key. */
function verify(proof: Uint8Array, context: bigint): Promise<boolean> {
  return withCurve(async ({ snarkjs, install }) => {
    install();
    return snarkjs.groth16.verify(verifyingKey, [context.toString()], decodeProof(proof));
  });
}

/** Returns the verifying key with some fields changed. */
function change(fields: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...verifyingKey, ...fields }));
}

const provers = [
  { prover: "the SDK's own prover", makeProof: own.makeProof, Failure: OwnProverFailure, key: 'compactKey' },
  { prover: 'snarkjs', makeProof: snarkjs.makeProof, Failure: Error, key: 'zkey' },
] as const;

/** Sources of random numbers that always return the same, or nothing. */
const deadSources: [name: string, getRandomValues: unknown][] = [
  ['is missing', undefined],
  ['writes zeros', (bytes: Uint8Array) => bytes.fill(0)],
  ['always writes the same bytes', (bytes: Uint8Array) => bytes.fill(1).fill(2, 7)],
  [
    'throws',
    () => {
      throw new TypeError('no entropy');
    },
  ],
];
const useSource = (getRandomValues: unknown) =>
  vi.stubGlobal('crypto', { getRandomValues, subtle: crypto.subtle, randomUUID: crypto.randomUUID });
afterEach(() => void vi.unstubAllGlobals());

it.each(deadSources.slice(1))('no prover is asked for a proof if getRandomValues %s', async (_, source) => {
  const load = vi.fn(async () => artifacts);
  useSource(source);
  const proving = proveFacts(facts, attributes, { digest: artifacts.digest, load });
  const remedy = expect.stringContaining('Remove what replaces it');
  const missing = [{ feature: 'crypto.getRandomValues', neededFor: 'proofs', remedy }];
  await expect(proving).rejects.toThrow(serviceError('UNSUPPORTED_PLATFORM', { context: { missing } }));
  // Not again for snarkjs.
  expect(load).toHaveBeenCalledOnce();
});

it('snarkjs gets its random numbers from the SDK, and only during a proof', async () => {
  const seen: unknown[] = [];
  const watch = (use: CurveUse) => {
    use.install();
    const { random } = (globalThis as unknown as { curve_bn128: Curve }).curve_bn128.Fr;
    seen.push(random);
    return random;
  };
  const before = await withCurve(async (use) => watch(use));
  await snarkjs.makeProof(input, artifacts, {
    onProgress: ({ phase, fraction }) => {
      const curve = (globalThis as { curve_bn128?: Curve | null }).curve_bn128;
      if (phase === 'proof' && fraction > 0 && fraction < 1) seen.push(curve?.Fr.random);
    },
  });
  const after = await withCurve(async (use) => watch(use));
  expect(new Set(seen).size).toBe(2);
  expect(after).toBe(before);
});

it.each([
  ['draws no scalar', 0, 'does not draw'],
  ['draws one scalar', 1, 'does not draw'],
  ['draws three scalars', 3, 'too many'],
])('a run that %s with two given ones fails', async (_, draws, message) => {
  const random = () => (globalThis as unknown as { curve_bn128: Curve }).curve_bn128.Fr.random();
  const running = withCurve(({ install, withScalars }) =>
    withScalars(new Uint8Array(64).fill(1), async () => {
      install();
      for (let draw = 0; draw < draws; draw += 1) random();
    }),
  );
  await expect(running).rejects.toThrow(message);
});

describe.each(provers)('makeProof of $prover', ({ makeProof, Failure, key }) => {
  it.each(deadSources)('makes no proof if getRandomValues %s, and proves afterwards', async (_, source) => {
    useSource(source);
    const proving = makeProof(input, artifacts, quiet);
    await expect(proving).rejects.toMatchObject({ name: 'ProverError', code: 'UNSUPPORTED_PLATFORM' });
    vi.unstubAllGlobals();
    expect(await makeProof(input, artifacts, quiet)).toHaveLength(256);
  });

  it('returns 256 bytes that snarkjs verifies for the context hash that the chain computes', async () => {
    const proof = await makeProof(input, artifacts, quiet);
    expect(proof).toHaveLength(256);
    const context = await contextOf(facts);
    expect(await verify(proof, context)).toBe(true);
    expect(await verify(proof, context + 1n)).toBe(false);
  });

  it('makes concurrent proofs, each for its own input', async () => {
    const other = { ...facts, wallet: facts.wallet.toReversed() };
    const [first, second] = await Promise.all([
      makeProof(input, artifacts, quiet),
      makeProof(await circuitInput({ ...other, attributes }), artifacts, quiet),
    ]);
    expect(await verify(first, await contextOf(facts))).toBe(true);
    expect(await verify(second, await contextOf(other))).toBe(true);
    expect(await verify(first, await contextOf(other))).toBe(false);
  });

  it('rejects an input that does not fit the circuit', async () => {
    for (const change of [{ region: '39' }, { clauseHashes: [] }]) {
      const proving = makeProof({ ...input, ...change }, artifacts, quiet);
      await expect(proving).rejects.toThrow('does not fit the circuit');
      await expect(proving).rejects.not.toBeInstanceOf(OwnProverFailure);
    }
  });

  it.each([
    [
      'a verifying key with swapped points',
      { vkey: change({ IC: verifyingKey.IC.toReversed() }) },
      'not verify',
    ],
    ['a broken verifying key', { vkey: new Uint8Array(8) }, 'not be verified'],
    [
      'a broken proving key',
      { [key]: artifacts[key].subarray(0, 100_000), keyHash: 'another' },
      'not be made',
    ],
  ])('rejects %s, and proves afterwards', async (_, broken, message) => {
    const proving = makeProof(input, { ...artifacts, ...broken }, quiet);
    await expect(proving).rejects.toBeInstanceOf(Failure);
    await expect(proving).rejects.toThrow(message);
    expect(await makeProof(input, artifacts, quiet)).toHaveLength(256);
  });

  it.each(['witness', 'proof'])('can be stopped after the phase %s', async (phase) => {
    const reports: ProofProgress[] = [];
    const stop = new Error('stopped');
    const proving = makeProof(input, artifacts, {
      onProgress: (report) => reports.push(report),
      throwIfStopped: () => {
        if (reports.some((report) => report.phase === phase)) throw stop;
      },
    });
    await expect(proving).rejects.toBe(stop);
    expect(reports.at(-1)?.phase).toBe(phase);
  });
});
