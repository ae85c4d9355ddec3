import type { SnarkjsProof } from '@service/protocol/eligibility/proof/proof-bytes';
import { blindingFactors, nonZero } from './blinding-factors.ts';
import { ProverError } from './prover-error.ts';
import { toSnarkjsProof } from './snarkjs-proof.ts';
import {
  instantiate,
  PROOF_BYTES,
  run,
  SCALAR_BYTES,
  STACK_BYTES,
  type WasmExports,
  writeInput,
} from './wasm-exports.ts';

/** Options of a proof. */
export interface ProveOptions {
  /** Stops the proof before its next step. The promise rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the finished part of the proof, from 0 to 1. If it throws, the promise rejects with that error. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /**
   * Replaces the blinding factors r and s, each 32 bytes, little-endian, above 0 and below the order of the groups. Only
   * tests need it: two proofs with the same factors can reveal the witness.
   */
  readonly randomness?: { readonly r: Uint8Array; readonly s: Uint8Array } | undefined;
}

/** A witness and the rows that follow from it. Each number has 32 bytes, little-endian, and is below the order. */
export interface Witness {
  /** The value of each wire, as in the last section of snarkjs's file. */
  readonly wires: Uint8Array;
  /** The value of each row of the matrix A: the sum of its terms. The rows are in the order of the zkey. */
  readonly a: Uint8Array;
  /** The value of each row of the matrix B. */
  readonly b: Uint8Array;
}

/** A prover with its key. */
export interface Prover {
  /** The number of wires of a witness, with the constant 1. */
  readonly wires: number;
  /** The number of rows of each matrix: one for each constraint, one for the constant 1 and one for each public wire. */
  readonly rows: number;
  /**
   * Makes a Groth16 proof. The prover checks neither that the wires satisfy the constraints, nor that the rows follow from
   * the wires. If one is not so, the proof does not verify. So verify each proof before you send it.
   *
   * The thread is busy during each of five steps and free between two of them. The longest takes almost half of the time.
   * Concurrent calls run one after another. The prover overwrites its own copy of the witness, not the caller's.
   *
   * @throws ProverError ABORTED; UNSUPPORTED_PLATFORM if `crypto.getRandomValues` does not work; PROVER_FAILED if the
   *   witness does not fit the key, or the prover stopped. After it stopped, every call rejects, and a new prover is needed.
   */
  prove(witness: Witness, options?: ProveOptions): Promise<SnarkjsProof>;
}

/** The measured share of time before each step. */
const FRACTIONS = [0, 0.06, 0.22, 0.53, 0.99];

/** The values that `advance` returns. */
const ADVANCED = { finished: 0, more: 1 } as const;

/**
 * Starts a prover from its compiled module (`proverModule`) and a compact key (`compactKey`). The key is copied.
 *
 * @throws ProverError ARTIFACTS_INVALID if the module is not that of `proverModule`, or the key is not a compact key;
 *   PROVER_FAILED if there is too little memory
 */
export async function createProver(module: WebAssembly.Module, key: Uint8Array): Promise<Prover> {
  const exports = await instantiate(module);
  const sizes = load(exports, key);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    ...sizes,
    prove(witness, options = {}) {
      const turn = queue.then(() => prove(exports, sizes, witness, options));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

/** The numbers of wires and of rows. */
type Sizes = Pick<Prover, 'wires' | 'rows'>;

function load(exports: WasmExports, key: Uint8Array): Sizes {
  const invalid = (cause?: unknown) =>
    new ProverError('ARTIFACTS_INVALID', 'The compact key cannot be read. Make it again from the zkey.', {
      cause,
    });
  try {
    writeInput(exports, [key]);
    const wires = exports.load();
    if (wires !== 0) return { wires, rows: exports.rows() };
  } catch (cause) {
    throw invalid(cause);
  }
  throw invalid();
}

async function prove(
  exports: WasmExports,
  sizes: Sizes,
  witness: Witness,
  { signal, onProgress = () => {}, randomness }: ProveOptions,
): Promise<SnarkjsProof> {
  throwIfAborted(signal);
  const counts = { wires: sizes.wires, a: sizes.rows, b: sizes.rows };
  for (const part of ['wires', 'a', 'b'] as const) {
    const [actual, expected] = [witness[part].length, counts[part] * SCALAR_BYTES];
    if (actual === expected) continue;
    throw new ProverError(
      'PROVER_FAILED',
      `The part ${part} of the witness has ${actual} bytes and must have ${expected}. Use the circuit of the key.`,
    );
  }
  try {
    begin(exports, witness, randomness);
    for (let step = 0; ; step += 1) {
      onProgress(FRACTIONS[step] ?? 1);
      await yieldToThread();
      throwIfAborted(signal);
      if (advance(exports) === ADVANCED.finished) break;
    }
    const start = run(exports.proof);
    const proof = toSnarkjsProof(new Uint8Array(exports.memory.buffer, start, PROOF_BYTES));
    onProgress(1);
    return proof;
  } finally {
    wipe(exports);
  }
}

function begin(exports: WasmExports, { wires, a, b }: Witness, randomness: ProveOptions['randomness']): void {
  const factors = randomness
    ? nonZero(Uint8Array.of(...randomness.r, ...randomness.s))
    : blindingFactors(wires);
  try {
    run(() => writeInput(exports, [wires, a, b, factors]));
  } finally {
    factors.fill(0);
  }
  if (run(exports.begin) !== 1) {
    throw new ProverError(
      'PROVER_FAILED',
      'A number of the witness is not below the order of the groups. Reduce it first.',
    );
  }
}

function advance(exports: WasmExports): number {
  const answer = run(exports.advance);
  if (answer === ADVANCED.finished || answer === ADVANCED.more) return answer;
  throw new ProverError('PROVER_FAILED', 'A point of the proof is infinity. Make the proof again.');
}

/** Overwrites the witness and everything that was computed from it. If the module stopped, overwrites its whole memory. */
function wipe(exports: WasmExports): void {
  const memory = new Uint8Array(exports.memory.buffer);
  try {
    exports.wipe();
    memory.fill(0, 0, STACK_BYTES);
  } catch {
    memory.fill(0);
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ProverError('ABORTED', 'Making the proof was aborted. Start it again when you need it.', {
    cause: signal.reason,
  });
}

/** Lets other tasks of the thread run, so that an abort can arrive. */
function yieldToThread(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
