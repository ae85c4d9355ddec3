/** Real Groth16 proofs, each made once, `prove` and `close-pass`, valid unless a test changes an argument. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArtifacts } from '@service/circuit';
import { addressBytes } from '@service/contract';
import { SYSTEM_PROGRAM } from '@service/protocol';
import { circuitInput, dateCodeAt } from '@service/protocol/eligibility';
import { getClosePassInstruction, getPassDecoder, getProveInstruction } from '@service/protocol/generated';
import { makeProof as proveInput } from '@service/test-support/make-proof';
import type { Instruction } from '@solana/kit';
import { addressOf, type Chain, NOW, noop } from './chain.ts';
import { ATTRIBUTES, issueCredential } from './credentials.ts';
import { at, CIRCUIT, CIRCUIT_ID, CONFIG, credentialAt, PASS_FEE, verifierAt } from './governance.ts';
import { withAddress } from './instruction.ts';
import { CLAUSES, MAX_PASS_AGE, passAt, RULE, ruleSetChain } from './rule-sets.ts';

/** The latest expiry that a pass of the tests' rule sets can have at the beginning. */
export const LATEST_EXPIRY = NOW + MAX_PASS_AGE;

/** Date code of the day at the beginning. */
export const TODAY = dateCodeAt(NOW);

type ProofChange = NonNullable<Parameters<typeof makeProof>[0]>;

const made = new Map<string, Promise<Uint8Array>>();

/** Returns the 256 bytes of a proof of the holder for the tests' rule set, unless a test changes some facts. */
export async function proofOf(change: ProofChange = {}): Promise<Uint8Array> {
  const key = JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  const proof = made.get(key) ?? makeProof(change);
  made.set(key, proof);
  return proof;
}

async function makeProof({
  rule = RULE,
  wallet = 'holder',
  attributes = ATTRIBUTES,
  clauses = CLAUSES,
  expiresAt = LATEST_EXPIRY,
  asOf = TODAY,
} = {}): Promise<Uint8Array> {
  const { digest } = await readArtifacts();
  const input = await circuitInput({
    attributes,
    clauses,
    rule: addressBytes(rule),
    wallet: addressBytes(await addressOf(wallet)),
    expiresAt,
    asOf,
  });
  // Other test files need the same proof, and any proof of the same input is as good.
  const folder = join(tmpdir(), `proofs-${digest}`);
  const file = join(folder, createHash('sha256').update(JSON.stringify(input)).digest('hex'));
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Uint8Array(kept);
  const bytes = await proveInput(input);
  await mkdir(folder, { recursive: true });
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, bytes);
  await rename(own, file);
  return bytes;
}

/** `prove` by the holder for the tests' rule set, until the latest expiry. Makes the proof unless one is given. */
export async function prove({
  verifier = 'verifier',
  circuitId = CIRCUIT_ID,
  proof,
  ...facts
}: ProofChange & { verifier?: string; circuitId?: string; proof?: Uint8Array } = {}) {
  const { rule = RULE, wallet = 'holder', expiresAt = LATEST_EXPIRY, asOf = TODAY } = facts;
  return getProveInstruction({
    wallet: await noop(wallet),
    config: CONFIG,
    ruleSet: rule,
    credential: await credentialAt(wallet),
    verifier: await verifierAt(verifier),
    circuit: await at.circuit(circuitId),
    pass: await passAt(wallet, rule),
    systemProgram: SYSTEM_PROGRAM,
    expiresAt,
    asOf,
    proof: proof ?? (await proofOf(facts)),
  });
}

/** Returns a chain on which wallets can prove: they have credentials, and the rule set has funds for ten passes. */
export async function eligibleChain({
  wallets = ['holder'],
  passFunds = 10n * PASS_FEE,
} = {}): Promise<Chain> {
  const chain = await ruleSetChain({ passFunds });
  for (const wallet of wallets) await chain.confirm(issueCredential({ wallet }));
  return chain;
}

/** `close-pass` of the holder's pass for the tests' rule set. */
export async function closePass({
  holder = 'holder',
  rule = RULE,
  verifier = 'verifier',
  circuitId = CIRCUIT_ID,
} = {}) {
  return getClosePassInstruction({
    pass: await passAt(holder, rule),
    wallet: await addressOf(holder),
    ruleSet: rule,
    credential: await credentialAt(holder),
    verifier: await verifierAt(verifier),
    circuit: await at.circuit(circuitId),
    config: CONFIG,
  });
}

/** `close-pass` of a pass with the verifier and the circuit that it names. */
export async function closePassOf(chain: Chain, holder: string, rule = RULE): Promise<Instruction> {
  const { verifier, circuit } = await passOf(chain, holder, rule);
  const named = withAddress(await closePass({ holder, rule }), await verifierAt('verifier'), verifier);
  return withAddress(named, CIRCUIT, circuit);
}

export async function passOf(chain: Chain, wallet = 'holder', rule = RULE) {
  return getPassDecoder().decode(chain.data(await passAt(wallet, rule)));
}
