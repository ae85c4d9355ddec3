import { COORDINATE_ORDER, decodeProof, encodeProof, packVerifyingKey } from '@service/protocol/eligibility';
import { expect, it } from 'vitest';
import {
  artifacts,
  contextOf,
  facts,
  input,
  ownArtifacts,
} from '../../../../test/support/prover/eligible.ts';
import { makeProof } from './make-proof.ts';
import { verifyProof } from './verify-proof.ts';

const proof = await makeProof(input, ownArtifacts, { onProgress: () => {} });
const context = await contextOf(facts);

it('verifies a proof for its own context hash alone', async () => {
  expect(await verifyProof(proof, context, artifacts.vkey)).toBe(true);
  for (const other of [context + 1n, 0n, 1n]) {
    expect(await verifyProof(proof, other, artifacts.vkey)).toBe(false);
  }
});

it('verifies a proof with A and B negated, and rejects a proof with one other point', async () => {
  // (-A, B, C) and (A, -B, C) have the same pairing product.
  const { pi_a, pi_b, pi_c, ...rest } = decodeProof(proof);
  const negated = (y: string) => String(COORDINATE_ORDER - BigInt(y));
  const a = [pi_a[0]!, negated(pi_a[1]!), '1'];
  const b = [pi_b[0]!, pi_b[1]!.map(negated), pi_b[2]!];
  const c = [pi_c[0]!, negated(pi_c[1]!), '1'];
  const encoded = (points: object) => encodeProof({ pi_a, pi_b, pi_c, ...rest, ...points });
  expect(await verifyProof(encoded({ pi_a: a, pi_b: b }), context, artifacts.vkey)).toBe(true);
  for (const points of [{ pi_a: a }, { pi_b: b }, { pi_c: c }, { pi_a: pi_c }, { pi_c: pi_a }]) {
    expect(await verifyProof(encoded(points), context, artifacts.vkey)).toBe(false);
  }
});

it('uses each key that it is given', async () => {
  const key = JSON.parse(new TextDecoder().decode(artifacts.vkey));
  const bytes = (fields: object) => new TextEncoder().encode(JSON.stringify({ ...key, ...fields }));
  expect(packVerifyingKey(key)).toEqual(artifacts.key);
  const others = [
    { vk_alpha_1: key.IC[0] },
    { vk_beta_2: key.vk_gamma_2 },
    { vk_gamma_2: key.vk_delta_2 },
    { vk_delta_2: key.vk_gamma_2 },
    { IC: key.IC.toReversed() },
  ];
  for (const fields of others) {
    expect(await verifyProof(proof, context, bytes(fields))).toBe(false);
    expect(await verifyProof(proof, context, artifacts.vkey)).toBe(true);
  }
});
