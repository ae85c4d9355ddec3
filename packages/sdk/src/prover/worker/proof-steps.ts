/** The steps of a proof, the same for each prover. */
import { contextHashOf } from '@service/circuit/witness';
import type { CircuitInput, PrivateInput } from '@service/protocol/eligibility';
import { ALLOW_WEBASSEMBLY, isBlocked } from '../../platform/check-platform.ts';
import type { ProofProgress } from '../progress.ts';

/** How a proof reports progress and is stopped. */
export interface MakeProofOptions {
  readonly onProgress: (progress: ProofProgress) => void;
  /** Throws to stop the proof. Called between the parts of a proof. */
  readonly throwIfStopped?: () => void;
}

/** The steps that differ between the provers. */
export interface ProofSteps<Witness> {
  /** Computes the witness. */
  witness(input: CircuitInput): Witness | Promise<Witness>;
  /** Makes the proof, 256 bytes. Calls `onPart` between its parts with the finished fraction, if it is known. */
  prove(witness: Witness, onPart: (fraction?: number) => void): Promise<Uint8Array>;
  /** Overwrites the witness after the proof, because it contains every attribute. */
  overwrite(witness: Witness): void;
  /** Throws if the proof does not verify for the context hash, a decimal string. */
  verify(proof: Uint8Array, contextHash: string): void | Promise<void>;
}

/**
 * Runs the steps and returns the proof. The context hash is computed here, because computing Poseidon's constants would
 * block the caller's thread. Throws what the steps throw, and what `throwIfStopped` throws.
 */
export async function runSteps<Witness>(
  privateInput: PrivateInput,
  steps: ProofSteps<Witness>,
  { onProgress, throwIfStopped = () => {} }: MakeProofOptions,
): Promise<Uint8Array> {
  throwIfStopped();
  onProgress({ phase: 'prover', fraction: 1 });
  onProgress({ phase: 'witness', fraction: 0 });
  const input = withContextHash(privateInput);
  const witness = await steps.witness(input);
  let proof: Uint8Array;
  try {
    onProgress({ phase: 'witness', fraction: 1 });
    await yieldToThread();
    throwIfStopped();
    onProgress({ phase: 'proof', fraction: 0 });
    let stopped: { readonly error: unknown } | undefined;
    const onPart = (fraction?: number) => {
      try {
        throwIfStopped();
      } catch (error) {
        stopped = { error };
        throw error;
      }
      if (fraction !== undefined) onProgress({ phase: 'proof', fraction });
    };
    proof = await steps.prove(witness, onPart).catch((error: unknown) => {
      throw stopped ? stopped.error : error;
    });
  } finally {
    // The verification needs no witness.
    steps.overwrite(witness);
  }
  onProgress({ phase: 'proof', fraction: 1 });
  await yieldToThread();
  throwIfStopped();
  onProgress({ phase: 'verification', fraction: 0 });
  await steps.verify(proof, input.contextHash);
  return proof;
}

function withContextHash(input: PrivateInput): CircuitInput {
  try {
    return { ...input, contextHash: String(contextHashOf(input)) };
  } catch (cause) {
    return noWitness(cause);
  }
}

/** Returns whether an error is a mistake of the prover itself, and not of its input, its files or the memory. */
export function isMistakeOfProver(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError;
}

/** Returns whether an error says that the source of random numbers does not work. No other prover may be tried. */
export function isUnsupported(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'UNSUPPORTED_PLATFORM';
}

/** Throws the error for an input that has no witness. Throws a mistake of the calculator unchanged. */
export function noWitness(cause: unknown): never {
  throw isMistakeOfProver(cause) ? cause : new Error(NO_WITNESS, { cause });
}

/** Returns a handler that throws an error with this message, and the error that happened as its cause. */
export function failWith(message: string): (cause: unknown) => never {
  return (cause) => {
    throw new Error(message, { cause });
  };
}

/** Throws the error of a prover that did not start. Looks for the policy here, because a worker can have its own. */
export function notStarted(cause: unknown): never {
  const why = isBlocked()
    ? `A content security policy blocks WebAssembly. ${ALLOW_WEBASSEMBLY}`
    : 'The prover could not be started, perhaps because there is too little memory. Free memory, and try again.';
  throw new Error(why, { cause });
}

/** The message for an input that has no witness. */
const NO_WITNESS =
  'The witness calculator rejected the input: the context or the witness does not fit the circuit. Check the artifacts.';

/** The message for a proof that is wrong. */
export const NOT_VERIFIED =
  'The proof does not verify: the proving key and the verifying key do not belong together. Check the artifacts.';

/** Lets other tasks of the thread run. */
function yieldToThread(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
