import { FIELD_ORDER } from '@service/protocol/eligibility';
import { unpackVerifyingKey } from '@service/protocol/eligibility/proof/verifying-key';
import type { ProofStatement } from '@service/prover';
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
} from '@service/prover/statements';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifacts, contextHash, realProof } from '../../../test/support/prover/real-proof.ts';
import { verifyProof as verifyInWasm } from '../worker/own/verify-proof.ts';
import { verifyProof } from './verify-proof.ts';

/** Returns the parameters of a statement. */
function parametersOf({ key, signal, proof }: ProofStatement): Parameters<typeof verifyProof> {
  const vkey = new TextEncoder().encode(JSON.stringify(unpackVerifyingKey(key)));
  return [proof, BigInt(`0x${Buffer.from(signal).toString('hex')}`), vkey];
}

/** Runs both verifiers, which throw or return false for what does not verify. Throws unless they agree. */
async function verify(...parameters: Parameters<typeof verifyProof>): Promise<boolean> {
  const [result, expected] = await Promise.all(
    [verifyProof, verifyInWasm].map((run) => run(...parameters).catch(() => false)),
  );
  expect(result).toBe(expected);
  return result!;
}

describe('verifyProof without WebAssembly', () => {
  it('verifies a real proof for its context hash only', async () => {
    expect(await verify(realProof, contextHash, artifacts.vkey)).toBe(true);
    expect(await verify(realProof, contextHash + 1n, artifacts.vkey)).toBe(false);
    expect(await verify(realProof, 0n, artifacts.vkey)).toBe(false);
  });

  it('returns what the verifier in WebAssembly returns, for statements that are true and false', async () => {
    const changes = fc.record({ name: fc.constantFrom(...(Object.keys(known) as 'a'[]), 'c'), by: scalar });
    let verified = 0;
    await fc.assert(
      fc.asyncProperty(scalars, changes, async (some, { name, by }) => {
        expect(await verify(...parametersOf(statement(some)))).toBe(true);
        verified += 1;
        const changed = { ...some, [name]: addScalars(some[name], by) };
        fc.pre(changed[name] !== 0n || name === ('signal' as never));
        expect(await verify(...parametersOf(statement(changed)))).toBe(scalarOfC(changed) === changed.c);
      }),
      { numRuns: 5 },
    );
    expect(verified).toBeGreaterThan(0);
  });

  it('verifies a context hash of 0, and none that leads to infinity', async () => {
    const zero = { ...known, signal: 0n };
    expect(await verify(...parametersOf(statement({ ...zero, c: scalarOfC(zero) })))).toBe(true);
    const infinite = { ...known, signal: 1n, constant: FIELD_ORDER - known.factor };
    const parameters = parametersOf(statement({ ...infinite, c: scalarOfC(infinite) }));
    expect(await verify(...parameters)).toBe(false);
    expect(await verifyProof(...parameters)).toBe(false);
  });

  it('rejects a context hash that is not reduced or negative', async () => {
    const [proof, hash, vkey] = parametersOf(one);
    for (const other of [FIELD_ORDER + hash, FIELD_ORDER, -1n]) {
      expect(await verify(proof, other, vkey)).toBe(false);
      await expect(verifyProof(proof, other, vkey)).rejects.toThrow('not a field element');
    }
    expect(await verify(proof, hash, vkey)).toBe(true);
  });

  it('rejects a proof with a point that is not in its group, not reduced, or of another length', async () => {
    const [proof, hash, vkey] = parametersOf(one);
    for (const point of outsideOfG2()) {
      const changed = Buffer.from(proof);
      changed.set(point, 64);
      expect(await verify(changed, hash, vkey)).toBe(false);
      expect(await verifyProof(changed, hash, vkey)).toBe(false);
    }
    for (let start = 0; start < proof.length; start += 32) {
      const changed = Buffer.from(proof);
      const number = BigInt(`0x${changed.subarray(start, start + 32).toString('hex')}`);
      changed.set(bytesOf(number + PRIME), start);
      expect(await verify(changed, hash, vkey)).toBe(false);
    }
    for (const other of [proof.subarray(1), Buffer.concat([proof, Buffer.alloc(1)]), new Uint8Array(0)]) {
      expect(await verify(other, hash, vkey)).toBe(false);
    }
  });

  it('rejects a key with a point that is not in its group', async () => {
    const [point] = outsideOfG2();
    for (const start of [64, 192, 320]) {
      const key = Buffer.from(one.key);
      key.set(point!, start);
      expect(await verify(...parametersOf({ ...one, key }))).toBe(false);
    }
  });

  it('rejects a key of another protocol, or with more public signals', async () => {
    const [proof, hash, vkey] = parametersOf(one);
    const key = JSON.parse(new TextDecoder().decode(vkey));
    for (const change of [{ protocol: 'plonk' }, { nPublic: 2, IC: [...key.IC, key.IC[0]] }]) {
      const other = new TextEncoder().encode(JSON.stringify({ ...key, ...change }));
      expect(await verify(proof, hash, other)).toBe(false);
      await expect(verifyProof(proof, hash, other)).rejects.toThrow('The verifying key cannot be used');
    }
  });
});
