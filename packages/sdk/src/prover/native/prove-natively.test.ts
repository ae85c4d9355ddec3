import { inspect } from 'node:util';
import { outsideOfG2 } from '@service/prover/statements';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { artifactBytes, attributes, facts } from '../../../test/support/prover/eligible.ts';
import { snarkjsInThread } from '../../../test/support/prover/native-prover.ts';
import { artifacts, contextHash, snarkjsProof } from '../../../test/support/prover/real-proof.ts';
import { serviceError } from '../../../test/support/service-error.ts';
import { preloadProver } from '../../eligibility/prover-lifetime.ts';
import { artifactsFrom, type LoadOptions } from '../artifact-source/artifacts-from.ts';
import { NATIVE_SILENCE_MS } from '../bounds.ts';
import type { ProofProgress } from '../progress.ts';
import { proveFacts } from '../prove-facts.ts';
import { verifyProof } from '../worker/own/verify-proof.ts';
import type { NativeProof, NativeProofRequest, NativeProver } from './native-prover.ts';

const { digest } = artifacts;
const source = artifactsFrom({ digest, bytes: artifactBytes });
const salt = String(attributes.salt);

/** Proves with a prover that does this. */
const proveWith = (
  prove: (request: NativeProofRequest) => unknown,
  options: { signal?: AbortSignal; onProgress?: (progress: ProofProgress) => void } = {},
) => proveFacts(facts, attributes, source, { ...options, prover: { prove } as NativeProver });

/** Expects PROVER_FAILED with a message that names the native prover. Returns the error. */
async function expectBlame(proving: Promise<unknown>, message: string, retryable = false): Promise<Error> {
  const error = (await proving.then(
    () => expect.fail('it was accepted'),
    (thrown) => thrown,
  )) as Error;
  expect(error).toEqual(serviceError('PROVER_FAILED', { retryable }));
  expect(error.message).toMatch(/native prover/);
  expect(error.message).toContain(message);
  expect(inspect(error, { depth: 9 })).not.toContain(salt);
  return error;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a native prover', () => {
  it('makes a real proof, and reports each phase', async () => {
    const reports: ProofProgress[] = [];
    const onProgress = (report: ProofProgress) => reports.push(report);
    const proof = await proveWith(snarkjsInThread.prove, { onProgress });
    expect(await verifyProof(proof, contextHash, artifacts.vkey)).toBe(true);
    const order = ['artifacts', 'prover', 'witness', 'proof', 'verification'];
    const places = reports.map(({ phase, fraction }) => order.indexOf(phase) + fraction / 2);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const last = new Map(reports.map(({ phase, fraction }) => [phase, fraction]));
    expect([...last]).toEqual(order.map((phase) => [phase, 1]));
    expect(reports).toContainEqual({ phase: 'proof', fraction: 0.5 });
  });

  it('gets the inputs and the checked proving key, and only the files that it needs are loaded', async () => {
    const load = vi.fn((options?: LoadOptions) => source.load(options));
    const asked: NativeProofRequest[] = [];
    const prover: NativeProver = {
      async prove(request) {
        asked.push({ ...request, zkey: Uint8Array.from(request.zkey) });
        return snarkjsProof as NativeProof;
      },
    };
    await proveFacts(facts, attributes, { digest, load }, { prover });
    expect(load).toHaveBeenCalledOnce();
    const files = Object.keys(await load.mock.results[0]!.value);
    expect(files.sort()).toEqual(['digest', 'key', 'manifest', 'vkey', 'zkey']);
    expect(asked[0]!.inputs).toMatchObject({ contextHash: String(contextHash), salt });
    expect(Buffer.from(asked[0]!.zkey).equals(artifacts.zkey)).toBe(true);
    expect(asked[0]!.manifest).toEqual(artifacts.manifest);
  });

  it('is not needed by preloadProver, which loads its files', async () => {
    const load = vi.fn((options?: LoadOptions) => source.load(options));
    const prove = vi.fn();
    await preloadProver({ digest, load }, { prover: { prove } });
    expect(load.mock.calls).toEqual([[expect.objectContaining({ forNative: true })]]);
    expect(prove).not.toHaveBeenCalled();
  });

  it.each([
    ['a number', 1],
    ['an object without prove', {}],
    ['null', null],
  ])('is rejected before anything is loaded if it is %s', async (_, prover) => {
    const load = vi.fn();
    const preloading = preloadProver({ digest, load }, { prover: prover as unknown as NativeProver });
    await expect(preloading).rejects.toEqual(
      serviceError('INVALID_ARGUMENT', { context: { field: 'prover' } }),
    );
    expect(load).not.toHaveBeenCalled();
  });

  it('is never replaced by another prover, and its error becomes the cause', async () => {
    const prove = vi.fn(async () => {
      throw new TypeError('the key was not found');
    });
    const error = await expectBlame(proveWith(prove), 'failed');
    expect(error.cause).toBe('TypeError: the key was not found');
    expect(prove).toHaveBeenCalledOnce();
  });

  it('does not keep the attributes in the cause', async () => {
    const prove = async ({ inputs: { region, birthDate } }: NativeProofRequest) => {
      const hex = Number(birthDate).toString(16);
      throw new Error(`no witness: region=${region} is not in the mask, birthDate ${birthDate} (0x${hex})`);
    };
    const error = await expectBlame(proveWith(prove), 'failed');
    expect(error.cause).toBe('Error: no witness: […] is not in the mask, birthDate […] […]');
  });

  it.each([
    ['quotes the inputs', ({ inputs }: NativeProofRequest) => new Error(JSON.stringify(inputs))],
    ['is an object with the inputs', ({ inputs }: NativeProofRequest) => ({ inputs, toString: () => salt })],
    [
      'cannot be read',
      () => ({
        toString: () => {
          throw new Error(salt);
        },
      }),
    ],
    ['is undefined', () => undefined],
  ])('blames a prover whose error %s, and does not keep the witness', async (_, errorOf) => {
    await expectBlame(
      proveWith((request) => {
        throw errorOf(request);
      }),
      'failed',
    );
  });

  const { pi_a, pi_b, pi_c } = snarkjsProof.proof;
  const publicSignals = [String(contextHash)];
  const SHAPES: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['a text', JSON.stringify(snarkjsProof)],
    ['a proof as a text', { proof: JSON.stringify(snarkjsProof.proof), publicSignals }],
    ['no public signals', { proof: snarkjsProof.proof }],
    ['public signals as a text', { proof: snarkjsProof.proof, publicSignals: publicSignals[0] }],
    ['no proof', { publicSignals }],
    ['points as bytes', { proof: { pi_a: new Uint8Array(64), pi_b, pi_c }, publicSignals }],
    ['detached bytes', { proof: { pi_a: detached(), pi_b: detached(), pi_c: detached() }, publicSignals }],
    ['a missing point', { proof: { pi_a, pi_b }, publicSignals }],
    ['a point off the curve', { proof: { pi_a: ['1', '3', '1'], pi_b, pi_c }, publicSignals }],
    ['infinity', { proof: { pi_a: ['0', '1', '0'], pi_b, pi_c }, publicSignals }],
    ['numbers', { proof: { pi_a: pi_a.map(Number), pi_b, pi_c }, publicSignals }],
    [
      'a getter that throws',
      {
        get proof() {
          throw new Error(salt);
        },
        publicSignals,
      },
    ],
  ];
  it.each(SHAPES)('blames a prover that returns %s', async (_, made) => {
    await expectBlame(
      proveWith(async () => made),
      'did not return',
    );
  });

  it.each([
    ['of other inputs', [String(contextHash + 1n)]],
    ['of two signals', [String(contextHash), '1']],
    ['of no signal', []],
    ['with a number', [Number(contextHash)]],
  ])('blames a prover that returns a proof %s', async (_, signals) => {
    const made = { proof: snarkjsProof.proof, publicSignals: signals };
    await expectBlame(
      proveWith(async () => made),
      'other inputs',
    );
  });

  it.each([
    ['another proof', { pi_a: pi_c, pi_b, pi_c: pi_a }],
    ['a point outside of its group', { pi_a, pi_b: outsideOfTheGroup(), pi_c }],
  ])('blames a prover that returns %s for the right public signal', async (_, proof) => {
    await expectBlame(
      proveWith(async () => ({ proof, publicSignals })),
      'does not verify',
    );
  });

  it('is not blamed if the verifier of the SDK fails, and its proof is not used', async () => {
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValueOnce(new RangeError('Out of memory'));
    await expectBlame(
      proveWith(async () => snarkjsProof),
      'The verifier of the SDK failed',
    );
  });

  it('does not return a proof of the inputs that the prover changed', async () => {
    const changing = async (request: NativeProofRequest) => {
      const { inputs } = request as unknown as { inputs: { contextHash: string; clauseHashes: string[] } };
      inputs.contextHash = '1';
      inputs.clauseHashes[0] = '1';
      request.zkey.fill(0);
      return { proof: snarkjsProof.proof, publicSignals: [inputs.contextHash] };
    };
    await expectBlame(proveWith(changing), 'other inputs');
    expect(await proveWith(async () => snarkjsProof)).toHaveLength(256);
  });

  it('reads each property once', async () => {
    const proof = { ...snarkjsProof.proof };
    let reads = 0;
    Object.defineProperty(proof, 'pi_a', { get: () => (reads++ === 0 ? pi_a : pi_c) });
    expect(await proveWith(async () => ({ proof, publicSignals }))).toHaveLength(256);
    expect(reads).toBe(1);
  });

  it('ends at an abort, although the prover hangs, and fires its signal', async () => {
    const controller = new AbortController();
    const asked = vi.fn((_: NativeProofRequest) => new Promise<never>(() => {}));
    const proving = proveWith(asked, { signal: controller.signal });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    const { signal, calculateWitness, onProgress } = asked.mock.calls[0]![0];
    expect(signal.aborted).toBe(false);
    controller.abort();
    await expect(proving).rejects.toThrow(serviceError('ABORTED'));
    expect(signal.aborted).toBe(true);
    onProgress(0.9);
    expect(() => calculateWitness()).toThrow('has ended');
  });

  it('blames a prover that is silent for too long, and gives one that reports more time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = vi.fn((_: NativeProofRequest) => new Promise<never>(() => {}));
    const blamed = expectBlame(proveWith(asked), 'reported nothing', true);
    while (asked.mock.calls.length === 0) await vi.advanceTimersByTimeAsync(1);
    const { signal, onProgress } = asked.mock.calls[0]![0];
    await vi.advanceTimersByTimeAsync(NATIVE_SILENCE_MS - 1_000);
    onProgress(0.5);
    await vi.advanceTimersByTimeAsync(NATIVE_SILENCE_MS - 1_000);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await blamed;
    expect(signal.aborted).toBe(true);
  });

  it('overwrites the witness that it calculated', async () => {
    const calculated: Uint8Array[] = [];
    await proveWith(async ({ calculateWitness }) => {
      calculated.push(calculateWitness());
      expect(calculated[0]!.some((byte) => byte !== 0)).toBe(true);
      return snarkjsProof;
    });
    expect(calculated[0]!.every((byte) => byte === 0)).toBe(true);
  });

  it('reports no progress that decreases, ends too early or is not a number', async () => {
    const fractions: number[] = [];
    const onProgress = ({ phase, fraction }: ProofProgress) => {
      if (phase === 'proof') fractions.push(fraction);
    };
    await proveWith(
      async (request) => {
        for (const fraction of [0.5, 0.2, -1, 2, Number.NaN, 0.7]) request.onProgress(fraction);
        return snarkjsProof;
      },
      { onProgress },
    );
    expect(fractions).toEqual([0, 0.5, 0.7, 1]);
  });

  it('ends the proof with the error of a listener', async () => {
    const bug = new Error('a bug of the page');
    const onProgress = ({ phase, fraction }: ProofProgress) => {
      if (phase === 'proof' && fraction === 0.5) throw bug;
    };
    await expect(proveWith(snarkjsInThread.prove, { onProgress })).rejects.toBe(bug);
  });

  it('needs a source that returns its files', async () => {
    const load = async () => ({ ...artifacts, zkey: undefined });
    const proving = proveFacts(facts, attributes, { digest, load } as never, { prover: snarkjsInThread });
    await expect(proving).rejects.toThrow(serviceError('ARTIFACTS_INVALID'));
  });
});

/** Returns a point of the curve of G2 that is not in G2. */
function outsideOfTheGroup(): string[][] {
  const [x1, x0, y1, y0] = outsideOfG2()[0]!
    .toString('hex')
    .match(/.{64}/g)!
    .map((hex) => String(BigInt(`0x${hex}`)));
  return [
    [x0!, x1!],
    [y0!, y1!],
    ['1', '0'],
  ];
}

/** Returns bytes whose buffer was transferred. */
function detached(): Uint8Array {
  const bytes = new Uint8Array(64);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}
