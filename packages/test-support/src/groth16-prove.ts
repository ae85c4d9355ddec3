import { curves, groth16 } from 'snarkjs';

/**
 * Does what `groth16Prove` of `@iden3/react-native-rapidsnark` does, with snarkjs: takes the bytes of a .zkey and a .wtns
 * file in base64, and returns a real proof and its public signals as JSON.
 */
export async function groth16Prove(
  zkey: string,
  wtns: string,
): Promise<{ readonly proof: string; readonly pub_signals: string }> {
  // Without threads, which would keep the process alive. snarkjs finds its curve in this global.
  const shared = globalThis as { curve_bn128?: unknown };
  const before = shared.curve_bn128;
  shared.curve_bn128 = await curves.getCurveFromName('bn128', { singleThread: true });
  try {
    const { proof, publicSignals } = await groth16.prove(
      Buffer.from(zkey, 'base64'),
      Buffer.from(wtns, 'base64'),
    );
    return { proof: JSON.stringify(proof), pub_signals: JSON.stringify(publicSignals) };
  } finally {
    shared.curve_bn128 = before;
  }
}
