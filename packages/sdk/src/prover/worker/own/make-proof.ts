/**
 * Makes proofs with the SDK's own prover on the thread that loads this module: the worker, or the caller's thread
 * if there is no worker. Throws plain errors, because they are sent between threads.
 */
import { calculateWitness, contextHashOf, prepareWitness } from '@service/circuit/witness';
import type { PrivateInput } from '@service/protocol/eligibility';
import { encodeProof } from '@service/protocol/eligibility/proof/proof-bytes';
import { createProver, type Prover, proverModule } from '@service/prover';
import { OwnProverFailure } from '../own-prover-failure.ts';
import {
  isUnsupported,
  type MakeProofOptions,
  NOT_VERIFIED,
  notStarted,
  noWitness,
  runSteps,
} from '../proof-steps.ts';
import { verifyProof } from './verify-proof.ts';

// Native provers need these too, and one chunk is smaller than two.
export { calculateWitness, contextHashOf, verifyProof };

/** The files that a proof needs. Their bytes were already checked against the pinned manifest. */
export interface OwnArtifacts {
  /** SHA-256 of the compact key: 64 lowercase hex digits. */
  readonly keyHash: string;
  /** The compact key: the proving key in the format of this prover. Not needed if this prover already has the key. */
  readonly compactKey: Uint8Array | undefined;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
}

/** The prover of the last key. */
let last: { readonly keyHash: string; readonly prover: Promise<Prover> } | undefined;

/** Compiles the prover, which the first proof would wait for. Throws Error if WebAssembly is blocked or missing. */
export async function prepareToProve(): Promise<void> {
  prepareWitness();
  await proverModule().catch(notStarted);
}

/** Frees the prover's memory as soon as nothing uses it. */
export function release(): void {
  last = undefined;
}

/**
 * Makes a proof and verifies exactly the 256 bytes that it returns. Concurrent calls share one prover, which makes their
 * proofs one after another.
 *
 * @throws OwnProverFailure if the prover or the verification fails; Error if the input has no witness; ProverError
 *   UNSUPPORTED_PLATFORM without random numbers; also what `throwIfStopped` throws
 */
export async function makeProof(
  input: PrivateInput,
  artifacts: OwnArtifacts,
  options: MakeProofOptions,
): Promise<Uint8Array> {
  await prepareToProve();
  return runSteps(
    input,
    {
      witness(whole) {
        try {
          return calculateWitness(whole);
        } catch (cause) {
          return noWitness(cause);
        }
      },
      async prove(witness, onPart) {
        try {
          const prover = await proverOf(artifacts);
          return encodeProof(await prover.prove(witness, { onProgress: onPart }));
        } catch (cause) {
          if (isUnsupported(cause)) throw cause;
          // The prover may have stopped. Then it makes no further proof.
          release();
          throw new OwnProverFailure('The proof could not be made with these artifacts. Check them.', cause);
        }
      },
      overwrite({ wires, a, b }) {
        for (const numbers of [wires, a, b]) numbers.fill(0);
      },
      async verify(proof, contextHash) {
        let verified: boolean;
        try {
          verified = await verifyProof(proof, BigInt(contextHash), artifacts.vkey);
        } catch (cause) {
          throw new OwnProverFailure(
            'The proof could not be verified. Check the verifying key, or free memory and try again.',
            cause,
          );
        }
        if (!verified) throw new OwnProverFailure(NOT_VERIFIED);
      },
    },
    options,
  );
}

/** Returns the prover of a key. It reads the key only once, because reading takes as long as a step of the proof. */
function proverOf({ keyHash, compactKey }: OwnArtifacts): Promise<Prover> {
  if (last?.keyHash !== keyHash) {
    if (!compactKey) throw new Error('The compact key is missing.');
    last = { keyHash, prover: proverModule().then((module) => createProver(module, compactKey)) };
  }
  return last.prover;
}
