/** Real Groth16 proofs, made by snarkjs of the committed artifacts; each is made once. */

import { readArtifacts } from '@service/circuit';
import { addressBytes } from '@service/contract';
import {
  asOfDateCode,
  type ClauseMasks,
  circuitInput,
  encodeProof,
  type WitnessAttributes,
} from '@service/protocol/eligibility';
import type { Address } from '@solana/kit';
import { curves, groth16, wtns } from 'snarkjs';
import { ATTRIBUTES } from './_credentials.ts';
import { CLAUSES, MAX_PASS_AGE, ruleAddress } from './_rule-sets.ts';
import { addressOf, NOW } from './_setup.ts';

/** The latest expiry that a pass of the tests' rule sets can have at the beginning. */
export const LATEST_EXPIRY = NOW + MAX_PASS_AGE;

/** What is proved. */
export interface ProofChange {
  rule?: Address;
  wallet?: string;
  attributes?: WitnessAttributes;
  clauses?: readonly ClauseMasks[];
  expiresAt?: bigint;
  maxPassAgeSeconds?: bigint;
}

const made = new Map<string, Promise<Uint8Array>>();

/** The 256 bytes of a proof of the holder for the tests' rule set, unless told otherwise. */
export async function proofOf(change: ProofChange = {}): Promise<Uint8Array> {
  const key = JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  const proof = made.get(key) ?? makeProof(change);
  made.set(key, proof);
  return proof;
}

async function makeProof(change: ProofChange): Promise<Uint8Array> {
  const { wasm, zkey } = await readArtifacts();
  const { expiresAt = LATEST_EXPIRY, maxPassAgeSeconds = MAX_PASS_AGE } = change;
  const input = await circuitInput({
    attributes: change.attributes ?? ATTRIBUTES,
    clauses: change.clauses ?? CLAUSES,
    rule: addressBytes(change.rule ?? (await ruleAddress())),
    wallet: addressBytes(await addressOf(change.wallet ?? 'holder')),
    expiresAt,
    asOf: asOfDateCode({ expiresAt, maxPassAgeSeconds }),
  });
  const witness = { type: 'mem' as const, data: new Uint8Array() };
  // It would ask for 2 GiB that circom's own memory makes useless.
  await wtns.calculate(input, wasm, witness, { memorySize: 1 });
  const { proof } = await groth16.prove(zkey, witness.data);
  return encodeProof(proof);
}

/** Ends the curve's worker threads, which would keep the process alive. */
export async function endProver(): Promise<void> {
  await (await curves.getCurveFromName('bn128')).terminate();
}
