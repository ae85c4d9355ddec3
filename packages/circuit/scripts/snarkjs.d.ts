/** Types for the part of snarkjs 0.7.6 that this package uses. snarkjs itself has no types. */
declare module 'snarkjs' {
  type Logger = Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;
  /** A path, bytes, or an in-memory file that one step writes and the next one reads. */
  type File = string | Uint8Array | { type: 'mem'; data?: Uint8Array };
  interface Curve {
    Fr: { fromRng(random: { nextU64(): bigint }): Uint8Array; toObject(element: Uint8Array): bigint };
    G1: {
      fromObject(coordinates: readonly bigint[]): Uint8Array;
      toObject(point: Uint8Array): bigint[];
      toAffine(point: Uint8Array): Uint8Array;
      timesScalar(point: Uint8Array, scalar: bigint): Uint8Array;
    };
    terminate(): Promise<void>;
  }
  interface Proof {
    pi_a: string[];
    pi_b: string[][];
    pi_c: string[];
    protocol: string;
    curve: string;
  }

  export const curves: {
    getCurveFromName(name: 'bn128', options?: { singleThread?: boolean }): Promise<Curve>;
  };
  export const powersOfTau: {
    newAccumulator(curve: Curve, power: number, to: File, logger?: Logger): Promise<Uint8Array>;
    beacon(
      from: File,
      to: File,
      name: string,
      hash: string,
      iterationsExponent: number,
      logger?: Logger,
    ): Promise<Uint8Array | false>;
    contribute(
      from: File,
      to: File,
      name: string,
      entropy: string,
      logger?: Logger,
    ): Promise<Uint8Array | false>;
    preparePhase2(from: File, to: File, logger?: Logger): Promise<void>;
    verify(file: File, logger?: Logger): Promise<boolean>;
  };
  export const zKey: {
    newZKey(r1cs: File, powersOfTau: File, to: File, logger?: Logger): Promise<Uint8Array | -1>;
    beacon(
      from: File,
      to: File,
      name: string,
      hash: string,
      iterationsExponent: number,
      logger?: Logger,
    ): Promise<Uint8Array | false>;
    contribute(
      from: File,
      to: File,
      name: string,
      entropy: string,
      logger?: Logger,
    ): Promise<Uint8Array | false>;
    verifyFromR1cs(r1cs: File, powersOfTau: File, zkey: File, logger?: Logger): Promise<boolean>;
    /** Points are in decimal; `C` has none for the constant and the public signals. */
    exportJson(zkey: File): Promise<{
      domainSize: number;
      vk_alpha_1: string[];
      vk_beta_2: string[][];
      C: (string[] | null)[];
    }>;
    exportVerificationKey(zkey: File, logger?: Logger): Promise<SnarkjsVerifyingKeyJson>;
  };
  export const r1cs: {
    info(file: File, logger?: Logger): Promise<{ nConstraints: number; nPubInputs: number }>;
  };
  export const wtns: {
    calculate(input: object, wasm: File, to: File, options?: { memorySize?: number }): Promise<void>;
  };
  export const groth16: {
    prove(
      zkey: File,
      witness: File,
      logger?: Logger,
      options?: { singleThread?: boolean },
    ): Promise<{ proof: Proof; publicSignals: string[] }>;
    verify(key: object, publicSignals: readonly string[], proof: Proof, logger?: Logger): Promise<boolean>;
  };

  interface SnarkjsVerifyingKeyJson {
    protocol: string;
    curve: string;
    nPublic: number;
    vk_alpha_1: string[];
    vk_beta_2: string[][];
    vk_gamma_2: string[][];
    vk_delta_2: string[][];
    IC: string[][];
  }
}
