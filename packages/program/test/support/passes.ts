/** Real Groth16 proofs, each made once, and the instructions on passes, valid unless a test changes an argument. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArtifacts } from '@service/circuit';
import { addressBytes } from '@service/contract';
import { SYSTEM_PROGRAM } from '@service/protocol';
import { circuitInput, dateCodeAt, fieldToBytes, scopeOf, tagOf } from '@service/protocol/eligibility';
import {
  getClosePassInstruction,
  getEndGrantInstruction,
  getGrantPassInstruction,
  getPassDecoder,
  getProveInstruction,
  getSuspendPassInstruction,
  type PlaceClaimArgs,
} from '@service/protocol/generated';
import { makeProof as proveInput } from '@service/test-support/make-proof';
import type { Instruction } from '@solana/kit';
import { addressOf, type Chain, DAY, NOW, noop } from './chain.ts';
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
  place = undefined as number | undefined,
} = {}): Promise<Uint8Array> {
  const { digest } = await readArtifacts();
  const input = await circuitInput({
    attributes,
    clauses,
    rule: addressBytes(rule),
    wallet: addressBytes(await addressOf(wallet)),
    expiresAt,
    asOf,
    place,
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

/** A change of `prove`. `claim` replaces that of the proved place, and `replaces` is a wallet that holds the place. */
export type ProveChange = ProofChange & {
  verifier?: string;
  circuitId?: string;
  proof?: Uint8Array;
  claim?: PlaceClaimArgs | null;
  replaces?: string | undefined;
};

/** `prove` by the holder for the tests' rule set, until the latest expiry. Makes the proof unless one is given. */
export async function prove({
  verifier = 'verifier',
  circuitId = CIRCUIT_ID,
  proof,
  replaces,
  ...change
}: ProveChange = {}) {
  const { claim = await claimOf(change), ...facts } = change;
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
    ...(claim ? { place: await at.place(rule, Uint8Array.from(claim.tag)) } : {}),
    ...(replaces
      ? { replacedWallet: await addressOf(replaces), replacedPass: await passAt(replaces, rule) }
      : {}),
    expiresAt,
    asOf,
    proof: proof ?? (await proofOf(facts)),
    claim,
  });
}

/** Returns the claim of the place that a proof is for, or null without one. */
async function claimOf({ rule = RULE, place, attributes = ATTRIBUTES }: ProofChange) {
  return place === undefined ? null : { number: place, tag: await tagBytes(place, { rule, ...attributes }) };
}

/** Returns the tag of a person for a place, 32 bytes. */
export async function tagBytes(place: number, { rule = RULE, person = ATTRIBUTES.person } = {}) {
  return fieldToBytes(tagOf({ person, scope: await scopeOf({ rule: addressBytes(rule), place }) }));
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

/** The time of a suspension that lasts until it is lifted. */
export const UNTIL_LIFTED = 2n ** 64n - 1n;

/** `suspend-pass` of the holder's pass by the creator of the tests' rule set, until it is lifted. */
export async function suspendPass({
  creator = 'issuer',
  holder = 'holder',
  rule = RULE,
  until = UNTIL_LIFTED,
} = {}) {
  return getSuspendPassInstruction({
    creator: await noop(creator),
    ruleSet: rule,
    wallet: await addressOf(holder),
    pass: await passAt(holder, rule),
    systemProgram: SYSTEM_PROGRAM,
    until,
  });
}

/** Lifts the suspension of the holder's pass. */
export const liftSuspension = (change: Omit<NonNullable<Parameters<typeof suspendPass>[0]>, 'until'> = {}) =>
  suspendPass({ ...change, until: 0n });

/** `grant-pass` to the custodian by the creator of the tests' rule set, for a day. */
export async function grantPass({
  creator = 'issuer',
  holder = 'custodian',
  rule = RULE,
  expiresAt = NOW + DAY,
} = {}) {
  return getGrantPassInstruction({
    creator: await noop(creator),
    config: CONFIG,
    ruleSet: rule,
    wallet: await addressOf(holder),
    pass: await passAt(holder, rule),
    systemProgram: SYSTEM_PROGRAM,
    expiresAt,
  });
}

/** `end-grant` of the custodian's pass by the creator of the tests' rule set. */
export async function endGrant({
  sender = 'issuer',
  creator = 'issuer',
  holder = 'custodian',
  rule = RULE,
} = {}) {
  return getEndGrantInstruction({
    sender: await noop(sender),
    pass: await passAt(holder, rule),
    ruleSet: rule,
    creator: await addressOf(creator),
    config: CONFIG,
  });
}

export async function passOf(chain: Chain, wallet = 'holder', rule = RULE) {
  return getPassDecoder().decode(chain.data(await passAt(wallet, rule)));
}
