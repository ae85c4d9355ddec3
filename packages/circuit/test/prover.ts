import { readFileSync } from 'node:fs';
import { readArtifacts } from '@service/circuit';
import type { SnarkjsVerifyingKey } from '@service/protocol/eligibility';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { curves, groth16, type Proof, wtns } from 'snarkjs';

const { wasm, zkey, vkey } = await readArtifacts();
const source = readFileSync(new URL('../circuits/eligibility.circom', import.meta.url), 'utf8').split('\n');
const key = JSON.parse(new TextDecoder().decode(vkey)) as SnarkjsVerifyingKey;

/** Every signal but the context hash, as whoever drives the witness calculator may choose them: any field element. */
export interface PrivateSignals {
  region: bigint;
  status: bigint;
  birthDate: bigint;
  salt: bigint;
  clauseHashes: bigint[];
  regionMask: bigint;
  statusMask: bigint;
  minAge: bigint;
  asOf: bigint;
  passHash: bigint;
}

/** A clause's hash, of numbers in or out of range. */
export function hashClause(regionMask: bigint, statusMask: bigint, minAge: bigint): bigint {
  return poseidon2([regionMask, statusMask + (minAge << 32n)]);
}

/** The context hash that the signals lead to. A cheat always gets this right: the refusal must come from elsewhere. */
export function contextOf(signals: PrivateSignals): bigint {
  const { region, status, birthDate, salt, clauseHashes, asOf, passHash } = signals;
  const attributes = region + (status << 8n) + (birthDate << 13n) + (1n << 253n);
  return poseidon11([...clauseHashes, poseidon2([attributes, salt]), asOf, passHash]);
}

/** Runs the witness calculator; it throws, naming template and line, when a constraint does not hold. */
export async function witnessOf(
  signals: PrivateSignals,
  contextHash: bigint = contextOf(signals),
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
