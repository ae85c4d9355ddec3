import { ProverError } from './prover-error.ts';

/** Size of a scalar in bytes. */
export const SCALAR_BYTES = 32;

/** Size of a proof in the module's memory: A, B and C, each x then y, B's coordinates real part first, little-endian. */
export const PROOF_BYTES = 256;

/** The functions of the prover's module. `rust/src/exports.rs` describes each. */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
  reserve(size: number): number;
  load(): number;
  rows(): number;
  begin(): number;
  advance(): number;
  proof(): number;
  verify(): number;
  wipe(): void;
}

const NO_MEMORY = 'There is too little memory for the prover. Close other pages or programs, and try again.';

const FUNCTIONS = ['reserve', 'load', 'rows', 'begin', 'advance', 'proof', 'verify', 'wipe'] as const;

/** The module's stack is below this address. Nothing is on it between two calls. */
export const STACK_BYTES = 65_536;

/**
 * Instantiates the prover's module. It has no imports.
 *
 * @throws ProverError ARTIFACTS_INVALID if the module is not that of `proverModule`, or WebAssembly is forbidden;
 *   PROVER_FAILED if there is too little memory
 */
export async function instantiate(module: WebAssembly.Module): Promise<WasmExports> {
  const failed = 'The prover cannot be started. Pass the module that proverModule returns.';
  const { exports } = await WebAssembly.instantiate(module, {}).catch((cause) => {
    // Platforms reject with a RangeError if they cannot allocate the module's memory.
    if (cause instanceof RangeError) throw new ProverError('PROVER_FAILED', NO_MEMORY, { cause });
    throw new ProverError('ARTIFACTS_INVALID', failed, { cause });
  });
  const isProver =
    exports.memory instanceof WebAssembly.Memory &&
    FUNCTIONS.every((name) => typeof exports[name] === 'function');
  if (!isProver) throw new ProverError('ARTIFACTS_INVALID', failed);
  return exports as unknown as WasmExports;
}

/** Copies parts one after another into the module's memory. */
export function writeInput(exports: WasmExports, parts: readonly Uint8Array[]): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  let start = exports.reserve(size);
  // An earlier view would be detached, because the memory may have grown.
  const memory = new Uint8Array(exports.memory.buffer);
  for (const part of parts) {
    memory.set(part, start);
    start += part.length;
  }
}

/** Calls the module. Throws ProverError PROVER_FAILED if the module traps. */
export function run<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw new ProverError(
      'PROVER_FAILED',
      'The WebAssembly of the prover stopped. Create another prover, or verify again.',
      {
        cause,
      },
    );
  }
}
