import type { ArtifactManifest } from '@service/protocol/eligibility';

/**
 * A prover that the caller passes as `prover`, such as rapidsnark in an app of React Native. It replaces the provers of
 * the SDK, which need WebAssembly. The SDK gives it only checked artifacts, and verifies each of its proofs (SPEC.md
 * section 1).
 *
 * It gets the person's attributes, so it must run on the person's device.
 *
 * @example
 * // groth16Prove is that of @iden3/react-native-rapidsnark.
 * const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
 * const prover: NativeProver = {
 *   async prove({ zkey, calculateWitness }) {
 *     const { proof, pub_signals } = await groth16Prove(base64(zkey), base64(calculateWitness()));
 *     return { proof: JSON.parse(proof), publicSignals: JSON.parse(pub_signals) };
 *   },
 * };
 * const client = new ServiceClient({ deployment, prover });
 */
export interface NativeProver {
  /**
   * Makes a Groth16 proof on BN254. The text of what it throws becomes the cause of PROVER_FAILED, without words that
   * contain digits, because they could be the person's attributes. It may be called again before an earlier call ends.
   */
  prove(request: NativeProofRequest): Promise<NativeProof>;
}

/** What a {@link NativeProver} gets for a proof (SPEC.md section 1). */
export interface NativeProofRequest {
  /** The inputs of the circuit by name, as snarkjs takes them: decimal strings. They contain the person's attributes. */
  readonly inputs: Readonly<Record<string, string | readonly string[]>>;
  /** The proving key: the bytes of a .zkey file with the pinned digest. */
  readonly zkey: Uint8Array;
  /** The pinned manifest. `files.zkey.sha256` says whether a copy that the app has is this key. */
  readonly manifest: ArtifactManifest;
  /**
   * Computes the witness of the inputs: the bytes of a .wtns file. For a prover without a calculator of its own. The bytes
   * contain the person's attributes, and are overwritten after the proof.
   */
  calculateWitness(): Uint8Array;
  /** Fires when the proof is no longer needed: the caller aborted, or the prover was silent for too long. */
  readonly signal: AbortSignal;
  /** Reports the finished part of the proof, from 0 to 1. Each report gives the prover another 60 seconds. */
  readonly onProgress: (fraction: number) => void;
}

/** A proof of a {@link NativeProver}, as snarkjs and rapidsnark write it (SPEC.md section 1). */
export interface NativeProof {
  /** The points of the proof: projective coordinates as decimal strings, the last one 1. */
  readonly proof: {
    /** A. */
    readonly pi_a: readonly string[];
    /** B. */
    readonly pi_b: readonly (readonly string[])[];
    /** C. */
    readonly pi_c: readonly string[];
  };
  /** The public signals of the circuit as decimal strings: only `contextHash`. */
  readonly publicSignals: readonly string[];
}
