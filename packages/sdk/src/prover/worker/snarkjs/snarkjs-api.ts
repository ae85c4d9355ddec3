import type { CircuitInput, SnarkjsProof } from '@service/protocol/eligibility';

/** The used part of snarkjs 0.7, which has no types. */
export interface Snarkjs {
  readonly curves: {
    getCurveFromName(name: 'bn128', options: { singleThread: true }): Promise<Curve>;
  };
  readonly wtns: {
    calculate(
      input: CircuitInput,
      wasm: Uint8Array,
      to: MemoryFile,
      options: { memorySize: number },
    ): Promise<void>;
  };
  readonly groth16: {
    prove(
      zkey: Uint8Array,
      witness: Uint8Array,
      logger: SnarkjsLogger,
    ): Promise<{ proof: SnarkjsProof; publicSignals: string[] }>;
    verify(key: object, publicSignals: readonly string[], proof: SnarkjsProof): Promise<boolean>;
  };
}

/** A file that snarkjs writes into memory. */
export interface MemoryFile {
  readonly type: 'mem';
  data?: Uint8Array;
}

/** The logger that snarkjs calls while it proves. An error from `debug` stops it. */
export type SnarkjsLogger = Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;

/** A curve. Only curves of other users of snarkjs have threads. */
export interface Curve {
  /** The field of the scalars. */
  readonly Fr: {
    /** snarkjs draws r, then s, with it. */
    random: () => Uint8Array;
    /** Reads a number of 32 bytes, little-endian. */
    fromRprLE(bytes: Uint8Array, offset: number): Uint8Array;
  };
  readonly tm: { readonly workers?: readonly unknown[] };
  terminate(): Promise<void>;
}
