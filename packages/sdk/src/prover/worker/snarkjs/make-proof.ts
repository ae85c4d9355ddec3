/**
 * Makes proofs with snarkjs on the thread that loads this module: the worker, or the caller's thread if there is no worker.
 * Throws plain errors, because they are sent between threads.
 */
import type { CircuitInput, PrivateInput } from '@service/protocol/eligibility';
import { decodeProof, encodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';
import { blindingFactors } from '@service/prover/blinding-factors';
import {
  failWith,
  type MakeProofOptions,
  NOT_VERIFIED,
  notStarted,
  noWitness,
  runSteps,
} from '../proof-steps.ts';
import { type CurveUse, dropCurve, withCurve } from './curve.ts';
import { proofFraction } from './proof-fraction.ts';
import type { MemoryFile, SnarkjsLogger } from './snarkjs-api.ts';

export { dropCurve as release };

/** The files that a proof needs. Their bytes were already checked against the pinned manifest. */
export interface SnarkjsArtifacts {
  /** circom's witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key of snarkjs. */
  readonly zkey: Uint8Array;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
}

/** Builds the curve, which the first proof would wait for. Throws Error if WebAssembly is blocked or missing. */
export async function prepareToProve(): Promise<void> {
  await withCurve(async () => {}).catch(notStarted);
}

/**
 * Makes a proof and verifies exactly the 256 bytes that it returns. Concurrent calls run one after another.
 *
 * @throws Error if the witness calculator rejects the input, or the artifacts do not belong together; ProverError
 *   UNSUPPORTED_PLATFORM without random numbers; also what `throwIfStopped` throws
 */
export async function makeProof(
  input: PrivateInput,
  { wasm, zkey, vkey }: SnarkjsArtifacts,
  options: MakeProofOptions,
): Promise<Uint8Array> {
  await prepareToProve();
  return withCurve((use) =>
    runSteps(
      input,
      {
        witness: (whole) => calculateWitness(use, whole, wasm),
        prove: (witness, onPart) => proveWitness(use, witness, zkey, onPart),
        overwrite: (witness) => witness.fill(0),
        verify: (proof, contextHash) => verifyProof(use, proof, contextHash, vkey),
      },
      options,
    ),
  );
}

async function calculateWitness(
  { snarkjs }: CurveUse,
  input: CircuitInput,
  wasm: Uint8Array,
): Promise<Uint8Array> {
  const file: MemoryFile = { type: 'mem' };
  // Circuits of circom 2 do not use this memory. The default would be 2 GiB.
  await snarkjs.wtns.calculate(input, wasm, file, { memorySize: 1 }).catch(noWitness);
  if (!file.data) throw new Error('The witness calculator returned nothing. Check the artifacts.');
  return file.data;
}

async function proveWitness(
  { snarkjs, install, withScalars }: CurveUse,
  witness: Uint8Array,
  zkey: Uint8Array,
  onPart: (fraction?: number) => void,
): Promise<Uint8Array> {
  const ignore = () => {};
  const logger: SnarkjsLogger = {
    info: ignore,
    warn: ignore,
    error: ignore,
    debug(message) {
      // snarkjs can be stopped only here.
      onPart(proofFraction(message));
    },
  };
  // snarkjs would draw them from a generator that it seeds once, and without WebCrypto from Math.random.
  const factors = blindingFactors(witness);
  try {
    return await withScalars(factors, async () => {
      install();
      const { proof } = await snarkjs.groth16.prove(zkey, witness, logger);
      return encodeProof(proof);
    });
  } catch (cause) {
    throw new Error('The proof could not be made with these artifacts. Check them.', { cause });
  } finally {
    factors.fill(0);
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
  if (!(await verify().catch(failWith(failed)))) throw new Error(NOT_VERIFIED);
}
