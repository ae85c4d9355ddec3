import { readFileSync } from 'node:fs';
import { readArtifacts } from '@service/circuit';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { curves, groth16, type Proof, wtns } from 'snarkjs';
import { contextHashOf, type Signals } from './statement.ts';

const { wasm, zkey, vkey } = await readArtifacts();
const source = readFileSync(new URL('../circuits/eligibility.circom', import.meta.url), 'utf8').split('\n');
const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;

/** Every signal but the context hash, as whoever drives the witness calculator may choose them: any field element. */
export type PrivateSignals = Omit<Signals, 'contextHash'>;

/** Runs the witness calculator; it throws, naming template and line, when a constraint does not hold. */
export async function witnessOf(
  signals: PrivateSignals,
  contextHash: bigint = contextHashOf(signals),
): Promise<Uint8Array> {
  const file = { type: 'mem' as const, data: new Uint8Array() };
  // It would ask for 2 GiB that circom's own memory makes useless.
  await wtns.calculate({ ...signals, contextHash }, wasm, file, { memorySize: 1 });
  return file.data;
}

/**
 * The statement of eligibility.circom that refuses the signals, so that a test knows it was refused for its own reason.
 *
 * @throws Error when the circuit accepts them
 */
export async function refusalOf(signals: PrivateSignals, contextHash?: bigint): Promise<string> {
  const refusal = await witnessOf(signals, contextHash).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (refusal === undefined) throw new Error('The circuit accepted what it must refuse.');
  const line = /template Eligibility_\d+ line: (\d+)/.exec(refusal)?.[1];
  if (!line) throw new Error(`Refused, but not by a constraint: ${refusal}`);
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

/** The curve's worker threads would keep the test process alive. */
export async function endProver(): Promise<void> {
  await (await curves.getCurveFromName('bn128')).terminate();
}
