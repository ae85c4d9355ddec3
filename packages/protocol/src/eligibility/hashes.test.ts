import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon8 } from 'poseidon-lite/poseidon8';
import { describe, expect, it } from 'vitest';
import { circuitInput } from './circuit-input.ts';
import type { ClauseMasks } from './clause.ts';
import { dateCode } from './date-code.ts';
import { FIELD_ORDER } from './field.ts';
import {
  clauseHash,
  clauseHashes,
  commitmentOf,
  contextHash,
  EMPTY_CLAUSE_HASH,
  ruleHash,
} from './hashes.ts';

const clause: ClauseMasks = { regionMask: 0b1010n, statusMask: 2 ** 32 - 1, minAge: 18 };
const attributes = { region: 3, status: 1, birthDate: dateCode({ year: 2000, month: 6, day: 15 }), salt: 7n };
const facts = {
  commitment: 1n,
  ruleHash: 2n,
  wallet: Uint8Array.from({ length: 32 }, (_, index) => index),
  expiresAt: 1_800_000_000n,
  asOf: dateCode({ year: 2026, month: 1, day: 1 }),
};

describe('clauseHash', () => {
  it('puts statuses and age in one element, 32 bits apart', () => {
    expect(clauseHash(clause)).toBe(poseidon2([0b1010n, (18n << 32n) + 0xffffffffn]));
  });

  it('has no value for the empty clause, whose hash is a constant', () => {
    expect(EMPTY_CLAUSE_HASH).toBe(poseidon2([0n, 0n]));
    expect(() => clauseHash({ regionMask: 0n, statusMask: 0, minAge: 0 })).toThrow(
      expect.objectContaining({ code: 'CLAUSE_INVALID' }),
    );
  });
});

describe('ruleHash', () => {
  it('fills unused slots with the empty clause', () => {
    const slots = [clauseHash(clause), ...Array(7).fill(EMPTY_CLAUSE_HASH)];
    expect(clauseHashes([clause])).toEqual(slots);
    expect(ruleHash([clause])).toBe(poseidon8(slots));
  });

  it('differs by the order of clauses', () => {
    const other = { ...clause, minAge: 21 };
    expect(ruleHash([clause, other])).not.toBe(ruleHash([other, clause]));
  });

  it.each([
    ['no clause', []],
    ['nine clauses', Array(9).fill(clause)],
    ['an empty clause among others', [clause, { regionMask: 0n, statusMask: 0, minAge: 0 }]],
  ])('refuses %s', (_, clauses) => {
    expect(() => ruleHash(clauses)).toThrow(expect.objectContaining({ code: 'CLAUSE_INVALID' }));
  });
});

describe('commitmentOf', () => {
  it('changes with every attribute', () => {
    const commitments = [
      attributes,
      { ...attributes, region: 4 },
      { ...attributes, status: 2 },
      { ...attributes, birthDate: attributes.birthDate + 1 },
      { ...attributes, salt: 8n },
    ].map(commitmentOf);
    expect(new Set(commitments).size).toBe(5);
  });

  it.each([
    ['region', { region: 253 }],
    ['region', { region: -1 }],
    ['region', { region: 1.5 }],
    ['status', { status: 32 }],
    ['birthDate', { birthDate: 0 }],
    ['birthDate', { birthDate: 2 ** 17 }],
    ['salt', { salt: FIELD_ORDER }],
    ['salt', { salt: -1n }],
    ['salt', { salt: 7 as unknown as bigint }],
  ])('refuses a %s out of range', (name, change) => {
    expect(() => commitmentOf({ ...attributes, ...change })).toThrow(
      expect.objectContaining({ code: 'WITNESS_INVALID', message: expect.stringContaining(name) }),
    );
  });

  it('does not repeat a value in its message', () => {
    expect(() => commitmentOf({ ...attributes, salt: FIELD_ORDER + 5n })).not.toThrow(
      String(FIELD_ORDER + 5n),
    );
  });
});

describe('contextHash', () => {
  it('changes with every fact, and with each half of the wallet', () => {
    const lastByte = Uint8Array.from(facts.wallet);
    lastByte[31] = 255;
    const firstByte = Uint8Array.from(facts.wallet);
    firstByte[0] = 255;
    const hashes = [
      facts,
      { ...facts, commitment: 3n },
      { ...facts, ruleHash: 3n },
      { ...facts, wallet: lastByte },
      { ...facts, wallet: firstByte },
      { ...facts, expiresAt: facts.expiresAt + 1n },
      { ...facts, asOf: facts.asOf + 1 },
    ].map(contextHash);
    expect(new Set(hashes).size).toBe(7);
  });

  it.each([
    ['FIELD_OUT_OF_RANGE', { commitment: FIELD_ORDER }],
    ['FIELD_OUT_OF_RANGE', { ruleHash: -1n }],
    ['CONTEXT_INVALID', { wallet: new Uint8Array(31) }],
    ['CONTEXT_INVALID', { expiresAt: -1n }],
    ['CONTEXT_INVALID', { expiresAt: 2n ** 64n }],
    ['DATE_INVALID', { asOf: 0 }],
  ])('refuses with %s', (code, change) => {
    expect(() => contextHash({ ...facts, ...change })).toThrow(expect.objectContaining({ code }));
  });
});

describe('circuitInput', () => {
  const request = { attributes, clauses: [{ ...clause, minAge: 90 }, clause], ...facts };

  it('opens the clause that holds and binds everything in the context hash', () => {
    const input = circuitInput(request);
    expect(input.minAge).toBe('18');
    expect(input.clauseHashes).toHaveLength(8);
    expect(input.contextHash).toBe(
      contextHash({
        ...facts,
        commitment: commitmentOf(attributes),
        ruleHash: ruleHash(request.clauses),
      }).toString(),
    );
  });

  it('splits the wallet into two big-endian halves', () => {
    const input = circuitInput(request);
    expect(BigInt(input.walletHi)).toBe(0x000102030405060708090a0b0c0d0e0fn);
    expect(BigInt(input.walletLo)).toBe(0x101112131415161718191a1b1c1d1e1fn);
  });

  it('refuses who meets no clause', () => {
    expect(() => circuitInput({ ...request, attributes: { ...attributes, region: 0 } })).toThrow(
      expect.objectContaining({ code: 'NOT_ELIGIBLE' }),
    );
  });
});
