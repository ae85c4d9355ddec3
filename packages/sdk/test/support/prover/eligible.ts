import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import {
  circuitInput,
  clauseHashes,
  commitmentOf,
  contextHash,
  dateCode,
  dateCodeAt,
  passHash,
  ruleHash,
} from '@service/protocol/eligibility';
import type { ProofFacts } from '../../../src/prover/prove-facts.ts';

const committed = await readArtifacts();

/** The committed artifacts, with their digest. */
export const artifacts = { ...committed, compactKey: committed.compactKey! };

/** The committed files of the SDK's own prover. */
export const ownArtifacts = {
  keyHash: artifacts.manifest.files.compactKey!.sha256,
  compactKey: artifacts.compactKey,
  vkey: artifacts.vkey,
};

/** The bytes of the committed files. */
export const artifactBytes = {
  ...artifacts,
  manifest: Uint8Array.from(await readFile(path.join(artifactsDirectory, 'manifest.json'))),
};

/** A person of 26 years with region 40 and status 1. */
export const attributes = {
  region: 40,
  status: 1,
  birthDate: dateCode({ year: 2000, month: 2, day: 29 }),
  salt: 0x5eedn << 200n,
  person: 0x9e12n << 200n,
};

const clauses = [
  { regionMask: 1n << 41n, statusMask: 0b10, minAge: 0 },
  { regionMask: 1n << 40n, statusMask: 0b10, minAge: 18 },
];
const expiresAt = 1_800_000_000n;

/** A rule set of two clauses. The person meets the second one. */
export const facts: ProofFacts = {
  commitment: commitmentOf(attributes),
  ruleHash: await ruleHash(clauses),
  clauses,
  rule: Uint8Array.from({ length: 32 }, (_, index) => 255 - index),
  wallet: Uint8Array.from({ length: 32 }, (_, index) => index * 8),
  expiresAt,
  asOf: dateCodeAt(expiresAt - 2_592_000n),
};

/** The input of the circuit for these facts. */
export const input = await circuitInput({ ...facts, attributes });

/** Returns the context hash that the chain computes from the facts. */
export async function contextOf(of: ProofFacts): Promise<bigint> {
  const { commitment, asOf } = of;
  return contextHash({
    clauseHashes: clauseHashes(of.clauses),
    commitment,
    asOf,
    passHash: await passHash(of),
  });
}
