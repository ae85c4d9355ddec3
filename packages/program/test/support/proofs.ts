/** Real Groth16 proofs, made by snarkjs of the committed artifacts; each is made once, and kept among temporary files. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { groth16, wtns } from 'snarkjs';
import { addressOf, NOW } from './chain.ts';
import { ATTRIBUTES } from './credentials.ts';
import { CLAUSES, MAX_PASS_AGE, RULE } from './rule-sets.ts';

/** The latest expiry that a pass of the tests' rule sets can have at the beginning. */
export const LATEST_EXPIRY = NOW + MAX_PASS_AGE;

export interface ProofChange {
  rule?: Address;
  wallet?: string;
  attributes?: WitnessAttributes;
  clauses?: readonly ClauseMasks[];
  expiresAt?: bigint;
  maxPassAgeSeconds?: bigint;
}

const made = new Map<string, Promise<Uint8Array>>();

/** The 256 bytes of a proof of the holder for the tests' rule set, unless the arguments say otherwise. */
export async function proofOf(change: ProofChange = {}): Promise<Uint8Array> {
  const key = JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  const proof = made.get(key) ?? makeProof(change);
  made.set(key, proof);
  return proof;
}

async function makeProof(change: ProofChange): Promise<Uint8Array> {
  const { digest, wasm, zkey } = await readArtifacts();
  const { expiresAt = LATEST_EXPIRY, maxPassAgeSeconds = MAX_PASS_AGE } = change;
  const input = await circuitInput({
    attributes: change.attributes ?? ATTRIBUTES,
    clauses: change.clauses ?? CLAUSES,
    rule: addressBytes(change.rule ?? RULE),
    wallet: addressBytes(await addressOf(change.wallet ?? 'holder')),
    expiresAt,
    asOf: asOfDateCode({ expiresAt, maxPassAgeSeconds }),
  });
  // Other test files prove the same, and no proof of the same input is better than another.
  const folder = join(tmpdir(), `proofs-${digest}`);
  const file = join(folder, createHash('sha256').update(JSON.stringify(input)).digest('hex'));
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Uint8Array(kept);
  const witness = { type: 'mem' as const, data: new Uint8Array() };
  // It would ask for 2 GiB that circom's own memory makes useless.
  await wtns.calculate(input, wasm, witness, { memorySize: 1 });
  const { proof } = await groth16.prove(zkey, witness.data);
  const bytes = encodeProof(proof);
  await mkdir(folder, { recursive: true });
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, bytes);
  await rename(own, file);
  return bytes;
}

/** Ends the threads of the curve, where snarkjs has built one: they would keep the process alive. */
export async function endProver(): Promise<void> {
  const { curve_bn128: curve } = globalThis as { curve_bn128?: { terminate(): Promise<void> } | null };
  await curve?.terminate();
}
