import type { CircuitInput, SnarkjsProof } from '@service/protocol/eligibility';

/** The part of snarkjs 0.7 that is used. It ships no types. */
export interface Snarkjs {
  readonly curves: {
    getCurveFromName(name: 'bn128', options?: { singleThread: boolean }): Promise<Curve>;
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

/** What snarkjs calls on its way; throwing from `debug` stops it. */
export type SnarkjsLogger = Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;

/** A curve with its worker threads; none when it was built for a single thread. */
export interface Curve {
  readonly tm: { readonly workers?: readonly CurveWorker[] };
  terminate(): Promise<void>;
}

/** A browser's Worker, or the likeness of one that snarkjs brings to Node, with the thread under a symbol. */
export interface CurveWorker {
  addEventListener(type: 'error' | 'close', listener: () => void): void;
  readonly [NODE_THREAD]?: { ref(): void; unref(): void };
}

/** Where `web-worker` keeps the thread. */
export const NODE_THREAD = Symbol.for('worker');

/** Loads snarkjs: GPL-3.0, large, and so loaded only when a proof is made. */
export async function loadSnarkjs(): Promise<Snarkjs> {
  // biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare the module.
  // @ts-ignore
  return (await import('snarkjs')) as unknown as Snarkjs;
}
