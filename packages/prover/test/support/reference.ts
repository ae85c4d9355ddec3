import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { curves, groth16, type Proof } from 'snarkjs';
import { vkey } from './artifacts.ts';
import { littleEndian } from './witness.ts';

const verifyingKey = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;

/** snarkjs's curve without threads. snarkjs finds it in this global, and draws r and s from its field. */
const curve = await curves.getCurveFromName('bn128', { singleThread: true });
const scalars = curve.Fr as unknown as { random(): Uint8Array; e(number: bigint): Uint8Array };
(globalThis as { curve_bn128?: unknown }).curve_bn128 = curve;

/** The random numbers of a proof. */
export interface Randomness {
  readonly r: bigint;
  readonly s: bigint;
}

/** Returns the random numbers in the form of the prover's option. */
export function randomness({ r, s }: Randomness): { r: Uint8Array; s: Uint8Array } {
  return { r: littleEndian(r), s: littleEndian(s) };
}

/** Makes a proof with snarkjs from given random numbers. */
export async function proveWithSnarkjs(
  zkey: Uint8Array,
  witness: Uint8Array,
  { r, s }: Randomness,
): Promise<Proof> {
  const { random } = scalars;
  const drawn = [r, s];
  scalars.random = () => scalars.e(drawn.shift()!);
  try {
    return (await groth16.prove(zkey, witness)).proof;
  } finally {
    scalars.random = random;
  }
}

/** Verifies a proof with snarkjs and the committed key. */
export function verifyWithSnarkjs(proof: object, publicSignal: string): Promise<boolean> {
  return groth16.verify(verifyingKey, [publicSignal], proof as Proof);
}
