import { readFileSync } from 'node:fs';
import { readArtifacts } from '@service/circuit';
import type { CircuitInput, SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { curves, groth16, type Proof, wtns } from 'snarkjs';
import type { Signals } from './statement.ts';

const { wasm, zkey, vkey } = await readArtifacts();
const circuit = new URL('../../circuits/eligibility.circom', import.meta.url);
const source = readFileSync(circuit, 'utf8').split('\n');
const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;

/** Runs the witness calculator. It throws and names template and line if a constraint does not hold. */
export async function witnessOf(signals: Signals | CircuitInput): Promise<Uint8Array> {
  const file = { type: 'mem' as const, data: new Uint8Array() };
  // The default would reserve 2 GiB, which circom's own memory replaces.
  await wtns.calculate({ ...signals }, wasm, file, { memorySize: 1 });
  return file.data;
}

/**
 * Returns the statement of eligibility.circom that rejects the signals, so that a test can check the reason.
 *
 * @throws Error if the circuit accepts the signals
 */
export async function refusalOf(signals: Signals): Promise<string> {
  const messageOf = (error: Error) => error.message;
  const refusal = await witnessOf(signals).then(() => undefined, messageOf);
  if (refusal === undefined) throw new Error('The circuit accepted signals that it must reject.');
  const line = /template Eligibility_\d+ line: (\d+)/.exec(refusal)?.[1];
  if (!line) throw new Error(`The circuit rejected the signals, but not by a constraint: ${refusal}`);
  return source[Number(line) - 1]?.trim() ?? '';
}

/** Proves with the committed key. */
export function prove(witness: Uint8Array): Promise<{ proof: Proof; publicSignals: string[] }> {
  return groth16.prove(zkey, witness);
}

/** Verifies with the committed key. */
export function verify(proof: Proof, contextHash: bigint): Promise<boolean> {
  return groth16.verify(key, [contextHash.toString()], proof);
}

/** Ends the worker threads of the curve, which would keep the process alive. */
export async function endProver(): Promise<void> {
  await (await curves.getCurveFromName('bn128')).terminate();
}
