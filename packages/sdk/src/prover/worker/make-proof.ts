/**
 * Makes proofs on the thread that loads this module: the worker, or the caller's thread if there is no worker. Throws
 * plain errors, because they are sent between threads.
 */
import type { CircuitInput } from '@service/protocol/eligibility';
import { decodeProof, encodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';
import { type ProofProgress, proofFraction } from '../progress.ts';
import { type CurveUse, dropCurve, withCurve } from './curve.ts';
import type { MemoryFile, SnarkjsLogger } from './snarkjs-api.ts';

export { dropCurve };

/** The files that a proof needs. Their bytes were already checked against the pinned manifest. */
export interface ProvingArtifacts {
  /** The witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
}

/** How a proof reports progress and is stopped. */
export interface MakeProofOptions {
  readonly onProgress: (progress: ProofProgress) => void;
  /** Throws to stop the proof. Called between the parts of a proof. */
  readonly throwIfStopped?: () => void;
}

/** Builds the curve, which the first proof would wait for. Throws Error if WebAssembly is blocked or missing. */
export async function prepareToProve(): Promise<void> {
  await withCurve(async () => {}).catch(
    failWith(
      "WebAssembly cannot be used here. Allow 'wasm-unsafe-eval' in script-src of the content security policy.",
    ),
  );
}

/** Returns a handler that throws an error with this message, and the error that happened as its cause. */
function failWith(message: string): (cause: unknown) => never {
  return (cause) => {
    throw new Error(message, { cause });
  };
}

/**
 * Makes a proof and verifies exactly the 256 bytes that it returns. Concurrent calls run one after another.
 *
 * @throws Error if the witness calculator rejects the input, or the artifacts do not belong together; also what
 *   `throwIfStopped` throws
 */
export async function makeProof(
  input: CircuitInput,
  artifacts: ProvingArtifacts,
  { onProgress, throwIfStopped = () => {} }: MakeProofOptions,
): Promise<Uint8Array> {
  await prepareToProve();
  return withCurve(async (use) => {
    throwIfStopped();
    onProgress({ phase: 'prover', fraction: 1 });
    onProgress({ phase: 'witness', fraction: 0 });
    const witness = await calculateWitness(use, input, artifacts.wasm);
    try {
      onProgress({ phase: 'witness', fraction: 1 });
      await yieldToThread();
      throwIfStopped();
      onProgress({ phase: 'proof', fraction: 0 });
      const proof = await proveWitness(use, witness, artifacts.zkey, { onProgress, throwIfStopped });
      onProgress({ phase: 'proof', fraction: 1 });
      await yieldToThread();
      throwIfStopped();
      onProgress({ phase: 'verification', fraction: 0 });
      await verifyProof(use, proof, input.contextHash, artifacts.vkey);
      return proof;
    } finally {
      // It contains every attribute.
      witness.fill(0);
    }
  });
}

/** Lets other tasks of the thread run. Without threads snarkjs never yields. */
function yieldToThread(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function calculateWitness(
  { snarkjs }: CurveUse,
  input: CircuitInput,
  wasm: Uint8Array,
): Promise<Uint8Array> {
  const file: MemoryFile = { type: 'mem' };
  const rejected =
    'The witness calculator rejected the input: the context or the witness does not fit the circuit. Check the artifacts.';
  // Circuits of circom 2 do not use this memory. The default would be 2 GiB.
  await snarkjs.wtns.calculate(input, wasm, file, { memorySize: 1 }).catch(failWith(rejected));
  if (!file.data) throw new Error('The witness calculator returned nothing. Check the artifacts.');
  return file.data;
}

async function proveWitness(
  { snarkjs, install }: CurveUse,
  witness: Uint8Array,
  zkey: Uint8Array,
  { onProgress, throwIfStopped }: Required<MakeProofOptions>,
): Promise<Uint8Array> {
  const ignore = () => {};
  const logger: SnarkjsLogger = {
    info: ignore,
    warn: ignore,
    error: ignore,
    debug(message) {
      // snarkjs can be stopped only here.
      throwIfStopped();
      const fraction = proofFraction(message);
      if (fraction !== undefined) onProgress({ phase: 'proof', fraction });
    },
  };
  try {
    install();
    const { proof } = await snarkjs.groth16.prove(zkey, witness, logger);
    return encodeProof(proof);
  } catch (cause) {
    throwIfStopped();
    throw new Error('The proof could not be made with these artifacts. Check them.', { cause });
  }
}

async function verifyProof(
  { snarkjs, install }: CurveUse,
  proof: Uint8Array,
  contextHash: string,
  vkey: Uint8Array,
): Promise<void> {
  const verify = async () => {
    const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
    install();
    return snarkjs.groth16.verify(key, [contextHash], decodeProof(proof));
  };
  const failed = 'The proof could not be verified with this verifying key. Check the artifacts.';
  if (!(await verify().catch(failWith(failed)))) {
    throw new Error(
      'The proof does not verify: the proving key and the verifying key do not belong together. Check the artifacts.',
    );
  }
}
