import {
  type CircuitInput,
  decodeProof,
  encodeProof,
  type SnarkjsVerifyingKey,
} from '@service/protocol/eligibility';
import { type LentCurve, withCurve } from './curve.ts';
import { type ProofProgress, proofFraction } from './progress.ts';
import { proverFailed, throwIfAborted } from './prover-errors.ts';
import type { MemoryFile, SnarkjsLogger } from './snarkjs-api.ts';
import { untilAborted } from './until-aborted.ts';

/** The files that proving takes, their bytes already checked against the pinned manifest. */
export interface ProvingArtifacts {
  /** The witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
}

/** Options of everything that proves. */
export interface ProveOptions {
  /** Stops the proof; the promise rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the proof advances. */
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
}

/** A proof that has been verified. */
export interface EligibilityProof {
  /** 256 bytes, as `POST /api/proofs` takes them (base64) and the program reads them. */
  readonly proof: Uint8Array;
  /** The public signal, which the program computes by itself. */
  readonly contextHash: bigint;
}

/**
 * Makes a proof and verifies it, in exactly the bytes that are returned.
 *
 * Proofs are made one after another, also when several are asked for at once.
 *
 * @throws ServiceError PROVER_FAILED when the witness calculator refuses the input, or the artifacts do not belong
 *   together; ABORTED
 */
export async function proveEligibility(
  input: CircuitInput,
  artifacts: ProvingArtifacts,
  { signal, onProgress }: ProveOptions = {},
): Promise<EligibilityProof> {
  throwIfAborted(signal);
  onProgress?.({ phase: 'prover', fraction: 0 });
  const proving = withCurve(async (lent) => {
    throwIfAborted(signal);
    onProgress?.({ phase: 'witness', fraction: 0 });
    const witness = await calculateWitness(lent, input, artifacts.wasm);
    try {
      throwIfAborted(signal);
      onProgress?.({ phase: 'proof', fraction: 0 });
      const proof = await proveWitness(lent, witness, artifacts.zkey, { signal, onProgress });
      throwIfAborted(signal);
      onProgress?.({ phase: 'verification', fraction: 0 });
      await verifyProof(lent, proof, input.contextHash, artifacts.vkey);
      onProgress?.({ phase: 'verification', fraction: 1 });
      return { proof, contextHash: BigInt(input.contextHash) };
    } finally {
      // It holds every attribute.
      witness.fill(0);
    }
  });
  return untilAborted(proving, signal);
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
    throw proverFailed(
      'The witness calculator refused the input: the context and the witness do not fit the circuit.',
      cause,
    );
  }
  if (!file.data) throw proverFailed('The witness calculator returned nothing.');
  return file.data;
}

async function proveWitness(
  { snarkjs, install }: LentCurve,
  witness: Uint8Array,
  zkey: Uint8Array,
  { signal, onProgress }: ProveOptions,
): Promise<Uint8Array> {
  const ignore = () => {};
  const logger: SnarkjsLogger = {
    info: ignore,
    warn: ignore,
    error: ignore,
    debug(message) {
      // The only place where snarkjs can be stopped.
      throwIfAborted(signal);
      const fraction = proofFraction(message);
      if (fraction !== undefined) onProgress?.({ phase: 'proof', fraction });
    },
  };
  try {
    install();
    const { proof } = await snarkjs.groth16.prove(zkey, witness, logger);
    return encodeProof(proof);
  } catch (cause) {
    throwIfAborted(signal);
    throw proverFailed('The proof could not be made with these artifacts.', cause);
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
    throw proverFailed('The proof could not be verified with this verifying key.', cause);
  }
  if (!valid) {
    throw proverFailed(
      'The proof does not verify: proving key and verifying key do not belong together. Check the artifacts.',
    );
  }
}
