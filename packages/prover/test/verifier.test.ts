import { bn254 } from '@noble/curves/bn254.js';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ProofStatement, verifyProof } from '../src/index.ts';
import { module } from './support/artifacts.ts';

const { G1, G2, fields } = bn254;
const { Fp, Fr } = fields;
const PRIME = Fp.ORDER;

/** The scalars of a statement's points, and its signal. */
interface Scalars {
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
  readonly constant: bigint;
  readonly factor: bigint;
  readonly signal: bigint;
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
}

const bytesOf = (...numbers: readonly bigint[]) =>
  Buffer.from(numbers.map((number) => number.toString(16).padStart(64, '0')).join(''), 'hex');

function g1(scalar: bigint): Buffer {
  const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
  return bytesOf(x, y);
}

function g2(scalar: bigint): Buffer {
  const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
  return bytesOf(x.c1, x.c0, y.c1, y.c0);
}

function statement({
  alpha,
  beta,
  gamma,
  delta,
  constant,
  factor,
  signal,
  a,
  b,
  c,
}: Scalars): ProofStatement {
  return {
    key: Buffer.concat([g1(alpha), g2(beta), g2(gamma), g2(delta), g1(constant), g1(factor)]),
    signal: bytesOf(signal),
    proof: Buffer.concat([g1(Fr.neg(a)), g2(b), g1(c)]),
  };
}

/** Returns the scalar of C for which a proof verifies: a b = alpha beta + (constant + signal factor) gamma + c delta. */
function scalarOfC({
  alpha,
  beta,
  gamma,
  delta,
  constant,
  factor,
  signal,
  a,
  b,
}: Omit<Scalars, 'c'>): bigint {
  const sum = Fr.add(Fr.mul(alpha, beta), Fr.mul(Fr.add(constant, Fr.mul(signal, factor)), gamma));
  return Fr.div(Fr.sub(Fr.mul(a, b), sum), delta);
}

const scalar = fc.oneof(
  fc.bigInt(1n, FIELD_ORDER - 1n),
  fc.constantFrom(1n, 2n, FIELD_ORDER - 1n, FIELD_ORDER - 2n, (1n << 127n) - 1n, 1n << 253n),
);
const scalars = fc
  .record({
    ...{ alpha: scalar, beta: scalar, gamma: scalar, delta: scalar, constant: scalar, factor: scalar },
    ...{ signal: fc.oneof(scalar, fc.constant(0n)), a: scalar, b: scalar },
  })
  .map((some) => ({ ...some, c: scalarOfC(some) }))
  .filter(({ c, constant, factor, signal }) => c !== 0n && Fr.add(constant, Fr.mul(signal, factor)) !== 0n);

const known = {
  ...{ alpha: 2n, beta: 3n, gamma: 5n, delta: 7n, constant: 11n, factor: 13n, signal: 17n, a: 19n, b: 23n },
};
const one = statement({ ...known, c: scalarOfC(known) });

describe('verifyProof', () => {
  it('verifies exactly the statements whose scalars satisfy the equation', async () => {
    const changes = fc.record({ name: fc.constantFrom(...(Object.keys(known) as 'a'[]), 'c'), by: scalar });
    await fc.assert(
      fc.asyncProperty(scalars, changes, async (some, { name, by }) => {
        expect(await verifyProof(module, statement(some))).toBe(true);
        const changed = { ...some, [name]: Fr.add(some[name], by) };
        // The generator times zero is infinity, which no statement can contain.
        fc.pre(changed[name] !== 0n || name === ('signal' as never));
        const holds = scalarOfC(changed) === changed.c;
        expect(await verifyProof(module, statement(changed))).toBe(holds);
      }),
      { numRuns: 40 },
    );
  });

  it('does not verify a signal that leads to infinity', async () => {
    const some = { ...known, signal: 1n, constant: FIELD_ORDER - known.factor };
    expect(await verifyProof(module, statement({ ...some, c: scalarOfC(some) }))).toBe(false);
  });

  it.each(['key', 'signal', 'proof'] as const)('rejects a %s of another length', async (part) => {
    for (const bytes of [one[part].subarray(1), Buffer.concat([one[part], Buffer.alloc(1)])]) {
      await expect(verifyProof(module, { ...one, [part]: bytes })).rejects.toThrow('malformed');
    }
  });

  it.each([
    ['the key', 575, 608],
    ['the signal', 576, 609],
    ['all parts', 0, 0],
  ])(
    'rejects a byte of %s in another part, although all bytes together would verify',
    async (_, end, start) => {
      const all = Buffer.concat([one.key, one.signal, one.proof]);
      const moved = {
        key: all.subarray(0, end),
        signal: all.subarray(end, start),
        proof: all.subarray(start),
      };
      await expect(verifyProof(module, moved)).rejects.toThrow('malformed');
    },
  );

  it('verifies the bytes that it was called with, even if the caller changes them at once', async () => {
    const proof = Uint8Array.from(statement({ ...known, c: 1n }).proof);
    const verifying = verifyProof(module, { ...one, proof });
    proof.set(one.proof);
    expect(await verifying).toBe(false);
    expect(await verifyProof(module, { ...one, proof })).toBe(true);
  });

  it('rejects with PROVER_FAILED if there is too little memory', async () => {
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValueOnce(new RangeError('Out of memory'));
    const verifying = verifyProof(module, one);
    await expect(verifying).rejects.toMatchObject({ code: 'PROVER_FAILED' });
    await expect(verifying).rejects.toThrow('too little memory');
    expect(await verifyProof(module, one)).toBe(true);
  });

  it('rejects each number that is not reduced', async () => {
    const rejects = (changed: Partial<ProofStatement>) =>
      expect(verifyProof(module, { ...one, ...changed })).rejects.toMatchObject({
        code: 'ARTIFACTS_INVALID',
      });
    await rejects({ signal: bytesOf(FIELD_ORDER) });
    await rejects({ signal: bytesOf(FIELD_ORDER + 17n) });
    for (const part of ['key', 'proof'] as const) {
      for (let start = 0; start < one[part].length; start += 32) {
        const bytes = Buffer.from(one[part]);
        const number = BigInt(`0x${bytes.subarray(start, start + 32).toString('hex')}`);
        bytes.set(bytesOf(number + PRIME), start);
        await rejects({ [part]: bytes });
      }
    }
  });

  /** The places of the points in a key and a proof. */
  const POINTS = [
    ['alpha', 'key', 0, 64],
    ['beta', 'key', 64, 128],
    ['gamma', 'key', 192, 128],
    ['delta', 'key', 320, 128],
    ['constant', 'key', 448, 64],
    ['factor', 'key', 512, 64],
    ['A', 'proof', 0, 64],
    ['B', 'proof', 64, 128],
    ['C', 'proof', 192, 64],
  ] as const;

  it.each(POINTS)(
    'rejects %s if it is infinite, off its curve or not in its group',
    async (_, part, start, size) => {
      const points: Uint8Array[] = [new Uint8Array(size), new Uint8Array(size).fill(1, -1)];
      if (size === 128) points.push(...outsideOfG2());
      for (const point of points) {
        const bytes = Buffer.from(one[part]);
        bytes.set(point, start);
        await expect(verifyProof(module, { ...one, [part]: bytes })).rejects.toThrow('malformed');
      }
    },
  );

  it('rejects another module', async () => {
    const empty = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    await expect(verifyProof(empty, one)).rejects.toMatchObject({ code: 'ARTIFACTS_INVALID' });
  });
});

/** Returns some points of the curve of G2 that are not in G2. Points of G2 are too rare to have a small x. */
function outsideOfG2(): Buffer[] {
  const { Fp2 } = fields;
  const constant = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  return Array.from({ length: 20 }, (_, index) => Fp2.fromBigTuple([BigInt(index), 1n])).flatMap((x) => {
    try {
      const y = Fp2.sqrt(Fp2.add(Fp2.pow(x, 3n), constant));
      return [bytesOf(x.c1, x.c0, y.c1, y.c0)];
    } catch {
      return [];
    }
  });
}
