import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../../test/support/with-code.ts';
import { COORDINATE_ORDER } from './points.ts';
import { decodeProof, encodeProof, type SnarkjsProof } from './proof-bytes.ts';
import { packVerifyingKey, type SnarkjsVerifyingKey } from './verifying-key.ts';

/** The generators of both groups. */
const G1 = ['1', '2', '1'];
const G2 = [
  [
    '10857046999023057135944570762232829481370756359578518086990519993285655852781',
    '11559732032986387107991004021392285783925812861821192530917403151452391805634',
  ],
  [
    '8495653923123431417604973247489272438418190587263600148770280649306958101930',
    '4082367875863433681332203403145435568316851327593401208105741076214120093531',
  ],
  ['1', '0'],
];
const proof: SnarkjsProof = { pi_a: G1, pi_b: G2, pi_c: G1, protocol: 'groth16', curve: 'bn128' };
const malformed = withCode('PROOF_MALFORMED');

const minus = (coordinate: string) => String((COORDINATE_ORDER - BigInt(coordinate)) % COORDINATE_ORDER);

/** Returns c0 - c1·u for each coordinate. The real halves of the twist's equation still agree. */
const conjugate = (point: string[][]) => point.map(([c0, c1]) => [c0!, minus(c1!)]);

/** Returns the 32-byte big-endian words of some bytes, as integers. */
const words = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .match(/.{64}/g)
    ?.map((word) => BigInt(`0x${word}`));

describe('encodeProof', () => {
  it('writes -A, then B with c1 before c0, then C', () => {
    const [x, y] = G2 as [string[], string[]];
    const b = [...x.toReversed(), ...y.toReversed()].map(BigInt);
    expect(words(encodeProof(proof))).toEqual([1n, COORDINATE_ORDER - 2n, ...b, 1n, 2n]);
  });

  it.each([
    ['a point off the curve', { pi_a: ['1', '3', '1'] }],
    ['the point at infinity', { pi_a: ['0', '1', '0'] }],
    ['zeros', { pi_c: ['0', '0', '1'] }],
    ['a projective point', { pi_c: ['2', '4', '2'] }],
    ['a coordinate that is not reduced', { pi_a: [(COORDINATE_ORDER + 1n).toString(), '2', '1'] }],
    ['a negative coordinate', { pi_a: ['-1', '2', '1'] }],
    ['a hexadecimal coordinate', { pi_a: ['0x1', '2', '1'] }],
    ['a coordinate that is a number', { pi_a: [1, 2, 1] as unknown as string[] }],
    ['too few coordinates', { pi_a: ['1', '2'] }],
    ['B off the twist', { pi_b: [G2[0], G2[0], G2[2]] as string[][] }],
    ['B off the twist in one of two equations only', { pi_b: conjugate(G2) }],
    ['another curve', { curve: 'bls12381' }],
    ['another protocol', { protocol: 'plonk' }],
  ])('rejects %s', (_, change) => {
    expect(() => encodeProof({ ...proof, ...change })).toThrow(malformed);
  });
});

describe('decodeProof', () => {
  it('inverts encodeProof', () => {
    expect(decodeProof(encodeProof(proof))).toEqual(proof);
  });

  it.each([0, 255, 257])('rejects %i bytes', (length) => {
    expect(() => decodeProof(new Uint8Array(length))).toThrow(malformed);
  });

  it('rejects a coordinate that is not reduced, even if the point is the same', () => {
    const bytes = encodeProof(proof);
    bytes.set(Buffer.from((COORDINATE_ORDER + 1n).toString(16).padStart(64, '0'), 'hex'), 192);
    expect(() => decodeProof(bytes)).toThrow(malformed);
  });

  it('rejects a proof with any byte changed', () => {
    const original = encodeProof(proof);
    fc.assert(
      fc.property(fc.nat(255), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const bytes = original.with(place, original[place]! ^ change);
        expect(() => decodeProof(bytes)).toThrow(malformed);
      }),
    );
  });
});

describe('packVerifyingKey', () => {
  const key: SnarkjsVerifyingKey = {
    protocol: 'groth16',
    curve: 'bn128',
    nPublic: 1,
    vk_alpha_1: G1,
    vk_beta_2: G2,
    vk_gamma_2: G2,
    vk_delta_2: G2,
    IC: [G1, ['1', minus('2'), '1']],
  };

  it('packs alpha, beta, gamma, delta, IC0 and IC1 in 576 bytes', () => {
    const packed = words(packVerifyingKey(key))!;
    expect(packed).toHaveLength(18);
    expect(packed.slice(0, 3)).toEqual([1n, 2n, BigInt(G2[0]![1]!)]);
    expect(packed.slice(14)).toEqual([1n, 2n, 1n, COORDINATE_ORDER - 2n]);
  });

  it.each([
    ['two public signals', { nPublic: 2, IC: [G1, G1, G1] }],
    ['a missing IC point', { IC: [G1] }],
    ['a point off the curve', { vk_alpha_1: ['1', '1', '1'] }],
    ['another curve', { curve: 'bls12381' }],
  ])('rejects %s', (_, change) => {
    expect(() => packVerifyingKey({ ...key, ...change })).toThrow(withCode('VERIFYING_KEY_MALFORMED'));
  });
});
