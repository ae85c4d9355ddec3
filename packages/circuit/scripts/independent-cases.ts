import { encodeProof, FIELD_ORDER } from '@service/protocol/eligibility';
import { COORDINATE_ORDER } from '@service/protocol/eligibility/proof/points';
import type { Proof } from 'snarkjs';

/** A proof and its public signal, in each format that is verified. */
export interface ProofForms {
  /** The verifying key as the Circuit account stores it, 576 bytes. */
  packedKey: Buffer;
  /** The proof as snarkjs made it. */
  proof: Proof;
  /** The proof in its on-chain format: -A, B, C, 256 bytes. */
  packedProof: Buffer;
  signal: bigint;
}

/** `fails`: every point is valid, but the equation does not hold. */
type Expected = 'holds' | 'fails' | 'malformed';

/** One valid or damaged proof, and the expected result for each of its formats. */
export interface ProofCase {
  name: string;
  forms: ProofForms;
  expected: { snarkjs: Expected; onChain: Expected };
}

type Made = Omit<ProofForms, 'packedProof'>;

/** Returns two valid proofs of one key, and the first of them with each of its parts replaced or damaged. */
export function proofCases(first: Made, second: Made): ProofCase[] {
  const good = pack(first);
  const other = pack(second);
  const both = (expected: Expected) => ({ snarkjs: expected, onChain: expected });
  const withSignal = (signal: bigint) => ({ ...good, signal });
  const withProof = (change: Partial<Proof>) => pack({ ...good, proof: { ...good.proof, ...change } });
  // A damaged proof cannot be encoded, so each format is damaged separately.
  const damaged = (change: Partial<Proof>, damage: (bytes: Buffer) => void) => {
    const packedProof = Buffer.from(good.packedProof);
    damage(packedProof);
    return { ...good, proof: { ...good.proof, ...change }, packedProof };
  };
  const withKey = (order: [start: number, end: number][]) => ({
    ...good,
    packedKey: Buffer.concat(order.map(([start, end]) => good.packedKey.subarray(start, end))),
  });
  const [ax, ay] = good.proof.pi_a as [string, string];
  const [[bx0, bx1], by] = good.proof.pi_b as [[string, string], string[]];
  const onChainOnly = { snarkjs: 'holds', onChain: 'fails' } as const;

  return [
    { name: 'the proof', forms: good, expected: both('holds') },
    { name: 'the other proof', forms: other, expected: both('holds') },
    { name: 'the signal and one', forms: withSignal(good.signal + 1n), expected: both('fails') },
    { name: 'a signal of zero', forms: withSignal(0n), expected: both('fails') },
    { name: "the other proof's signal", forms: withSignal(other.signal), expected: both('fails') },
    {
      name: 'the other proof with this signal',
      forms: { ...other, signal: good.signal },
      expected: both('fails'),
    },
    { name: "the other proof's A", forms: withProof({ pi_a: other.proof.pi_a }), expected: both('fails') },
    { name: "the other proof's B", forms: withProof({ pi_b: other.proof.pi_b }), expected: both('fails') },
    { name: "the other proof's C", forms: withProof({ pi_c: other.proof.pi_c }), expected: both('fails') },
    {
      name: 'A and C swapped',
      forms: withProof({ pi_a: good.proof.pi_c, pi_c: good.proof.pi_a }),
      expected: both('fails'),
    },
    { name: 'A negated', forms: withProof({ pi_a: [ax, negated(ay), '1'] }), expected: both('fails') },
    {
      name: 'the signal and the order',
      forms: withSignal(good.signal + FIELD_ORDER),
      expected: both('malformed'),
    },
    {
      name: 'A off the curve',
      forms: damaged({ pi_a: [ax, (BigInt(ay) + 1n).toString(), '1'] }, (bytes) => flip(bytes, 63)),
      expected: both('malformed'),
    },
    {
      name: 'B with the parts of x swapped',
      forms: damaged({ pi_b: [[bx1, bx0], by, ['1', '0']] }, (bytes) => exchange(bytes, 64, 96)),
      expected: both('malformed'),
    },
    {
      name: 'A at infinity',
      forms: damaged({ pi_a: ['0', '1', '0'] }, (bytes) => bytes.fill(0, 0, 64)),
      expected: both('malformed'),
    },
    // Alpha, beta, gamma, delta, IC0 and IC1 begin at 0, 64, 192, 320, 448 and 512.
    {
      name: 'IC0 and IC1 swapped',
      forms: withKey([
        [0, 448],
        [512, 576],
        [448, 512],
      ]),
      expected: onChainOnly,
    },
    {
      name: 'gamma and delta swapped',
      forms: withKey([
        [0, 192],
        [320, 448],
        [192, 320],
        [448, 576],
      ]),
      expected: onChainOnly,
    },
    {
      name: 'IC0 as alpha',
      forms: withKey([
        [448, 512],
        [64, 576],
      ]),
      expected: onChainOnly,
    },
  ];
}

function negated(coordinate: string): string {
  return (COORDINATE_ORDER - BigInt(coordinate)).toString();
}

function pack(made: Made): ProofForms {
  return { ...made, packedProof: Buffer.from(encodeProof(made.proof)) };
}

function flip(bytes: Buffer, place: number): void {
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
}

/** Swaps two words of 32 bytes. */
function exchange(bytes: Buffer, one: number, two: number): void {
  const kept = Buffer.from(bytes.subarray(one, one + 32));
  bytes.copyWithin(one, two, two + 32);
  kept.copy(bytes, two);
}
