/**
 * The prover itself, on whatever thread this is loaded: in the worker, or on the caller's where there is none. It
 * throws plain errors, for they go between threads.
 */
import type { CircuitInput } from '@service/protocol/eligibility';
import { decodeProof, encodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';
import { type ProofProgress, proofFraction } from '../progress.ts';
import { dropCurve, type LentCurve, withCurve } from './curve.ts';
import type { MemoryFile, SnarkjsLogger } from './snarkjs-api.ts';

export { dropCurve };

/** The files that proving takes, their bytes already checked against the pinned manifest. */
export interface ProvingArtifacts {
  /** The witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
}

/** How a proof is followed. */
export interface MakeProofOptions {
  readonly onProgress: (progress: ProofProgress) => void;
  /** Throws to stop the proof. Asked between the parts of a proof. */
  readonly throwIfStopped?: () => void;
}

/** Builds what the first proof would wait for. Throws Error when WebAssembly is blocked or missing. */
export async function prepareToProve(): Promise<void> {
  try {
    await withCurve(async () => {});
  } catch (cause) {
    throw new Error(
      "WebAssembly cannot be used here. A content security policy must allow 'wasm-unsafe-eval' in script-src.",
      { cause },
    );
  }
}

/**
 * Makes a proof and verifies it, in exactly the 256 bytes that are returned. One at a time, also when several are asked
 * for at once.
 *
 * @throws Error when the witness calculator refuses the input, or the artifacts do not belong together; whatever
 *   `throwIfStopped` throws
 */
export async function makeProof(
  input: CircuitInput,
  artifacts: ProvingArtifacts,
  { onProgress, throwIfStopped = () => {} }: MakeProofOptions,
): Promise<Uint8Array> {
  await prepareToProve();
  return withCurve(async (lent) => {
    throwIfStopped();
    onProgress({ phase: 'prover', fraction: 1 });
    onProgress({ phase: 'witness', fraction: 0 });
    const witness = await calculateWitness(lent, input, artifacts.wasm);
    try {
      onProgress({ phase: 'witness', fraction: 1 });
      await breathe();
      throwIfStopped();
      onProgress({ phase: 'proof', fraction: 0 });
      const proof = await proveWitness(lent, witness, artifacts.zkey, { onProgress, throwIfStopped });
      onProgress({ phase: 'proof', fraction: 1 });
      await breathe();
      throwIfStopped();
      onProgress({ phase: 'verification', fraction: 0 });
      await verifyProof(lent, proof, input.contextHash, artifacts.vkey);
      return proof;
    } finally {
      // It holds every attribute.
      witness.fill(0);
    }
  });
}

/** Lets the thread do what else it has to: without threads of its own, snarkjs never does. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function calculateWitness(
  { snarkjs }: LentCurve,
  input: CircuitInput,
  wasm: Uint8Array,
): Promise<Uint8Array> {
  const file: MemoryFile = { type: 'mem' };
  try {
    // The memory asked for here is not used by circuits of circom 2. The default is 2 GiB.
    await snarkjs.wtns.calculate(input, wasm, file, { memorySize: 1 });
  } catch (cause) {
    throw new Error(
      'The witness calculator refused the input: the context and the witness do not fit the circuit.',
      { cause },
    );
  }
  if (!file.data) throw new Error('The witness calculator returned nothing.');
  return file.data;
}

async function proveWitness(
  { snarkjs, install }: LentCurve,
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
      // The only place where snarkjs can be stopped.
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
    throw new Error('The proof could not be made with these artifacts.', { cause });
  }
}

async function verifyProof(
  { snarkjs, install }: LentCurve,
  proof: Uint8Array,
  contextHash: string,
  vkey: Uint8Array,
): Promise<void> {
  let valid: boolean;
  try {
    const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;
    install();
    valid = await snarkjs.groth16.verify(key, [contextHash], decodeProof(proof));
  } catch (cause) {
    throw new Error('The proof could not be verified with this verifying key.', { cause });
  }
  if (!valid) {
    throw new Error(
      'The proof does not verify: proving key and verifying key do not belong together. Check the artifacts.',
    );
  }
}
