import { FIELD_ORDER } from '@service/protocol/eligibility';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ProofStatement, verifyProof } from '../src/index.ts';
import { module } from './support/artifacts.ts';
import {
  addScalars,
  bytesOf,
  known,
  one,
  outsideOfG2,
  PRIME,
  scalar,
  scalarOfC,
  scalars,
  statement,
} from './support/statements.ts';

describe('verifyProof', () => {
  it('verifies exactly the statements whose scalars satisfy the equation', async () => {
    const changes = fc.record({ name: fc.constantFrom(...(Object.keys(known) as 'a'[]), 'c'), by: scalar });
    await fc.assert(
      fc.asyncProperty(scalars, changes, async (some, { name, by }) => {
        expect(await verifyProof(module, statement(some))).toBe(true);
        const changed = { ...some, [name]: addScalars(some[name], by) };
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
