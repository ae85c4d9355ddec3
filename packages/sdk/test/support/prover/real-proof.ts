/** A real proof of the facts of eligible.ts, made by snarkjs from the bytes that a native prover gets. */
import { calculateWitness } from '@service/circuit/witness';
import { encodeProof, type SnarkjsProof } from '@service/protocol/eligibility';
import { groth16Prove } from '@service/test-support/groth16-prove';
import type { NativeProof } from '../../../src/prover/native/native-prover.ts';
import { wtnsFile } from '../../../src/prover/native/wtns-file.ts';
import { artifacts, input } from './eligible.ts';

export { artifacts };

/** The context hash of the proof. */
export const contextHash = BigInt(input.contextHash);

/** A proof and its public signals in snarkjs's form. */
export const snarkjsProof: NativeProof = await prove();

/** The proof, 256 bytes. */
export const realProof = encodeProof(snarkjsProof.proof as SnarkjsProof);

async function prove(): Promise<NativeProof> {
  const wtns = wtnsFile(calculateWitness(input).wires);
  const { proof, pub_signals } = await groth16Prove(base64(artifacts.zkey), base64(wtns));
  return { proof: JSON.parse(proof), publicSignals: JSON.parse(pub_signals) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
