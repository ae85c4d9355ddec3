import { bn254 } from '@noble/curves/bn254.js';
import { decodeProof, encodeProof, packVerifyingKey } from '@service/protocol/eligibility';
import { expect, it } from 'vitest';
import { artifacts, contextOf, facts, input } from '../../../../test/support/prover/eligible.ts';
import { makeProof } from './make-proof.ts';
import { verifyProof } from './verify-proof.ts';

const files = { compactKey: artifacts.compactKey, vkey: artifacts.vkey };
const proof = await makeProof(input, files, { onProgress: () => {} });
const context = await contextOf(facts);

it('verifies a proof for its own context hash alone', () => {
  expect(verifyProof(proof, context, artifacts.vkey)).toBe(true);
  for (const other of [context + 1n, 0n, 1n]) expect(verifyProof(proof, other, artifacts.vkey)).toBe(false);
});

it('verifies a proof with A and B negated, and rejects a proof with one other point', () => {
  // (-A, B, C) and (A, -B, C) have the same pairing product.
  const { pi_a, pi_b, pi_c, ...rest } = decodeProof(proof);
  const negated = (y: string) => String(bn254.fields.Fp.ORDER - BigInt(y));
  const a = [pi_a[0]!, negated(pi_a[1]!), '1'];
  const b = [pi_b[0]!, pi_b[1]!.map(negated), pi_b[2]!];
  const c = [pi_c[0]!, negated(pi_c[1]!), '1'];
  const encoded = (points: object) => encodeProof({ pi_a, pi_b, pi_c, ...rest, ...points });
  expect(verifyProof(encoded({ pi_a: a, pi_b: b }), context, artifacts.vkey)).toBe(true);
  for (const points of [{ pi_a: a }, { pi_b: b }, { pi_c: c }, { pi_a: pi_c }, { pi_c: pi_a }]) {
    expect(verifyProof(encoded(points), context, artifacts.vkey)).toBe(false);
  }
});

it('rejects a point of the twist outside of the group', () => {
  const { Fp2 } = bn254.fields;
  const twist = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  // The first points of the twist have a cofactor of 254 bits, so none with a small x is in the group.
  for (let x = 1n; ; x += 1n) {
    const square = Fp2.add(Fp2.pow(Fp2.fromBigTuple([x, 0n]), 3n), twist);
    let y: ReturnType<typeof Fp2.sqrt>;
    try {
      y = Fp2.sqrt(square);
    } catch {
      continue;
    }
    const pi_b = [
      [String(x), '0'],
      [String(y.c0), String(y.c1)],
      ['1', '0'],
    ];
    const outside = encodeProof({ ...decodeProof(proof), pi_b });
    expect(() => verifyProof(outside, context, artifacts.vkey)).toThrow();
    break;
  }
});

it('uses each key that it is given', () => {
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
    expect(verifyProof(proof, context, bytes(fields))).toBe(false);
    expect(verifyProof(proof, context, artifacts.vkey)).toBe(true);
  }
});
