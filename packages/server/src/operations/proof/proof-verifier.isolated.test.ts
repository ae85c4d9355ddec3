import { readArtifacts } from '@service/circuit';
import { addressBytes, clauseMasks } from '@service/contract';
import { clauseHashes, commitmentOf, contextHash, dateCodeAt, passHash } from '@service/protocol/eligibility';
import { endProver, newWitness, proveRuleSet, ruleSetBody } from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProofVerifier, type ProofClaim, type ProofVerifier } from './proof-verifier.ts';

let claim: ProofClaim;
beforeAll(async () => {
  const { address: wallet } = await generateKeyPairSigner();
  const { address: rule } = await generateKeyPairSigner();
  const [witness, body, expiresAt] = [newWitness(), ruleSetBody(), 1_800_000_000n];
  const proof = Buffer.from(await proveRuleSet({ rule, wallet, witness, body, expiresAt }), 'base64');
  const publicSignal = contextHash({
    clauseHashes: clauseHashes(body.clauses.map(clauseMasks)),
    commitment: commitmentOf(witness),
    asOf: dateCodeAt(expiresAt - BigInt(body.maxPassAgeSeconds)),
    passHash: await passHash({ rule: addressBytes(rule), wallet: addressBytes(wallet), expiresAt }),
  });
  claim = { verifyingKey: (await readArtifacts()).key, publicSignal, proof: new Uint8Array(proof) };
});
afterAll(endProver);

test('a proof is valid for its own signal and key only', async () => {
  const { verify } = createProofVerifier();
  expect(await verify(claim)).toBe(true);
  expect(await verify({ ...claim, publicSignal: claim.publicSignal + 1n })).toBe(false);
  // The same scalar in another notation.
  const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  expect(await verify({ ...claim, publicSignal: claim.publicSignal + order })).toBe(false);
  expect(await verify({ ...claim, verifyingKey: swapInputs(claim.verifyingKey) })).toBe(false);
  // A and C are still points when they change places.
  const { proof } = claim;
  const turned = new Uint8Array([...proof.slice(192), ...proof.slice(64, 192), ...proof.slice(0, 64)]);
  expect(await verify({ ...claim, proof: turned })).toBe(false);
});

test('bytes that are not a proof or a key are not valid', async () => {
  const { verify } = createProofVerifier();
  expect(await verify({ ...claim, proof: new Uint8Array(256) })).toBe(false);
  expect(await verify({ ...claim, proof: claim.proof.slice(1) })).toBe(false);
  expect(await verify({ ...claim, verifyingKey: new Uint8Array(576) })).toBe(false);
  expect(await verify({ ...claim, verifyingKey: new Uint8Array() })).toBe(false);
});

test('simultaneous first proofs are all verified, and do not share the curve of snarkjs', async () => {
  const global = globalThis as { curve_bn128?: unknown };
  const verifyTogether = async ({ verify }: ProofVerifier) =>
    expect(await Promise.all(Array.from({ length: 5 }, () => verify(claim)))).toEqual(Array(5).fill(true));
  await endProver();
  await verifyTogether(createProofVerifier());
  // Not the curve itself, because the report of a failure would contain all of it.
  expect(Boolean(global.curve_bn128)).toBe(false);

  const { curves } = await import('snarkjs');
  const shared = await curves.getCurveFromName('bn128');
  expect(shared).toBeDefined();
  const verifier = createProofVerifier();
  await verifyTogether(verifier);
  expect(global.curve_bn128 === shared).toBe(true);
  await endProver();
  expect(Boolean(global.curve_bn128)).toBe(false);
  expect(await verifier.verify(claim)).toBe(true);
});

/** Another well-formed key: IC0 and IC1 change places. */
function swapInputs(key: Uint8Array): Uint8Array {
  return new Uint8Array([...key.slice(0, 448), ...key.slice(512), ...key.slice(448, 512)]);
}
