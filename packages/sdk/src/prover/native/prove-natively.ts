/** Makes a proof with the native prover of the caller. The prover can be wrong in every way. */
import type { CircuitInput, PrivateInput } from '@service/protocol/eligibility';
import { encodeProof, type SnarkjsProof } from '@service/protocol/eligibility/proof/proof-bytes';
import { throwIfAborted, untilAborted } from '../../lib/clock.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { quotedLocal } from '../../lib/quoted.ts';
import type { CheckedArtifacts } from '../artifact-source/check-artifacts.ts';
import { NATIVE_SILENCE_MS } from '../bounds.ts';
import { loadNativeSupport } from '../platform/index.ts';
import { artifactsInvalid, proverFailed } from '../prover-errors.ts';
import type { ProofControl } from '../worker/prover.ts';
import type { NativeProof, NativeProofRequest, NativeProver } from './native-prover.ts';
import { wtnsFile } from './wtns-file.ts';

const WHAT = 'Making the proof';

/**
 * Makes a proof with a native prover, and verifies exactly the 256 bytes that it returns. It never uses another prover
 * instead.
 *
 * @throws ServiceError PROVER_FAILED, which names the native prover if it threw, returned no proof or a wrong one, or was
 *   silent for too long; ARTIFACTS_INVALID without a proving key; NETWORK_ERROR or TIMEOUT of the code; ABORTED
 */
export async function proveNatively(
  input: PrivateInput,
  { manifest, zkey, vkey }: CheckedArtifacts,
  prover: NativeProver,
  { signal, onProgress }: ProofControl,
): Promise<Uint8Array> {
  if (!zkey) throw artifactsInvalid('The source did not return zkey. Check that source.');
  const { calculateWitness, contextHashOf, verifyProof } = await loadChunk(loadNativeSupport, signal);
  onProgress({ phase: 'prover', fraction: 1 });
  onProgress({ phase: 'witness', fraction: 0 });
  const contextHash = contextHashOf(input);
  const inputs: CircuitInput = { ...input, contextHash: String(contextHash) };
  onProgress({ phase: 'witness', fraction: 1 });
  let reported = 0;
  const onPart = (fraction: number) => {
    if (!(fraction >= reported && fraction <= 1)) return;
    reported = fraction;
    onProgress({ phase: 'proof', fraction });
  };
  onPart(0);
  const wtns = () => {
    const { wires, a, b } = calculateWitness(inputs);
    const file = wtnsFile(wires);
    for (const numbers of [wires, a, b]) numbers.fill(0);
    return file;
  };
  const made = await callProver(prover, { manifest, zkey, inputs, wtns }, { signal, onPart });
  onPart(1);
  onProgress({ phase: 'verification', fraction: 0 });
  const proof = readProof(made, inputs);
  const isVerified = await verifyProof(proof, contextHash, vkey).catch(orMalformed);
  throwIfAborted(signal, WHAT);
  if (!isVerified) {
    throw proverFailed(
      'The proof of the native prover does not verify. It may use another circuit or another proving key. Check the prover that you passed.',
    );
  }
  onProgress({ phase: 'verification', fraction: 1 });
  return proof;
}

/** What the prover gets. */
interface CallInput extends Pick<NativeProofRequest, 'manifest' | 'zkey'> {
  readonly inputs: CircuitInput;
  /** Computes the bytes of a .wtns file. */
  readonly wtns: () => Uint8Array;
}

/** How a call of the prover reports progress and is stopped. */
interface CallControl {
  readonly signal: AbortSignal | undefined;
  readonly onPart: (fraction: number) => void;
}

/** Calls the prover. It ends in time, even if the prover ignores its signal. */
async function callProver(
  prover: NativeProver,
  { inputs, wtns, ...artifacts }: CallInput,
  { signal, onPart }: CallControl,
): Promise<NativeProof> {
  const ending = new AbortController();
  const secrets: Uint8Array[] = [];
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onSilence: (error: unknown) => void = () => {};
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => onSilence(silent()), NATIVE_SILENCE_MS);
  };
  const silence = new Promise<never>((_, reject) => {
    onSilence = reject;
  });
  const call = async () =>
    prover.prove({
      ...artifacts,
      // The prover may change what it gets.
      inputs: { ...inputs, clauseHashes: [...inputs.clauseHashes] },
      calculateWitness() {
        if (isOver) throw new Error('The proof has ended. Make another one.');
        const file = wtns();
        secrets.push(file);
        return file;
      },
      signal: ending.signal,
      onProgress(fraction) {
        if (isOver) return;
        restartTimer();
        onPart(fraction);
      },
    });
  try {
    restartTimer();
    const made = call().catch((error: unknown) => {
      throw proverFailed('The native prover failed. Check the prover that you passed.', causeOf(error));
    });
    return await untilAborted(Promise.race([made, silence]), signal, WHAT);
  } catch (error) {
    ending.abort();
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
    // Bytes that were transferred to another thread have no length here.
    for (const bytes of secrets) if (bytes.length > 0) bytes.fill(0);
  }
}

function silent() {
  return proverFailed(
    `The native prover reported nothing for ${NATIVE_SILENCE_MS} ms. Try again, or check the prover that you passed.`,
    undefined,
    true,
  );
}

/** Returns what the prover threw as a text. It could quote the person's attributes, which are numbers: removes each word with one. */
function causeOf(error: unknown): string | undefined {
  try {
    return quotedLocal(String(error)).replaceAll(/\S*\d\S*/g, '[…]');
  } catch {
    return undefined;
  }
}

/** Reads what the prover returned. Each property is read once, because a getter could return something else later. */
function readProof(made: unknown, inputs: CircuitInput): Uint8Array {
  let proof: Uint8Array;
  let isForInputs: boolean;
  try {
    const { proof: points, publicSignals } = made as NativeProof;
    const { pi_a, pi_b, pi_c } = points;
    if (!Array.isArray(publicSignals)) throw new TypeError('publicSignals is not an array.');
    isForInputs = publicSignals.length === 1 && publicSignals[0] === inputs.contextHash;
    proof = encodeProof({ pi_a, pi_b, pi_c, protocol: 'groth16', curve: 'bn128' } as SnarkjsProof);
  } catch (error) {
    throw proverFailed(
      'The native prover did not return { proof: { pi_a, pi_b, pi_c }, publicSignals }, as snarkjs does. Check the prover that you passed.',
      causeOf(error),
    );
  }
  if (isForInputs) return proof;
  throw proverFailed(
    'The native prover returned a proof of other inputs. Its publicSignals must be [inputs.contextHash]. Check the prover that you passed.',
  );
}

/** Returns false if a point of the proof is not in its group, because the key was checked. Throws if the verifier failed. */
function orMalformed(error: unknown): false {
  if ((error as { code?: unknown }).code === 'ARTIFACTS_INVALID') return false;
  throw proverFailed(
    "The verifier of the SDK failed, so the proof of the native prover is not used. Free memory, and allow 'wasm-unsafe-eval' in script-src of the content security policy.",
    error,
  );
}
