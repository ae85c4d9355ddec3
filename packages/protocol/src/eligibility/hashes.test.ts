import { createHash } from 'node:crypto';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../test/support/with-code.ts';
import { circuitInput } from './circuit-input.ts';
import type { ClauseMasks } from './clause.ts';
import { contextHash } from './context-hash.ts';
import { dateCode } from './date-code.ts';
import { FIELD_ORDER } from './field.ts';
import {
  clauseHash,
  clauseHashes,
  commitmentOf,
  EMPTY_CLAUSE_HASH,
  passHash,
  ruleHash,
  scopeOf,
  tagOf,
} from './hashes.ts';

const empty: ClauseMasks = { regionMask: 0n, statusMask: 0, minAge: 0 };
const clause: ClauseMasks = { regionMask: 0b1010n, statusMask: 2 ** 32 - 1, minAge: 18 };
const birthDate = dateCode({ year: 2000, month: 6, day: 15 });
const attributes = { region: 3, status: 1, birthDate, salt: 7n, person: 11n };
const pass = {
  rule: Uint8Array.from({ length: 32 }, (_, index) => 64 + index),
  wallet: Uint8Array.from({ length: 32 }, (_, index) => index),
  expiresAt: 1_800_000_000n,
};
const facts = {
  clauseHashes: clauseHashes([clause]),
  commitment: 1n,
  asOf: dateCode({ year: 2026, month: 1, day: 1 }),
  passHash: 2n,
};

/** Returns the bytes with one of them changed. */
const changed = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
const hexOf = (value: bigint) => value.toString(16).padStart(64, '0');
const sha256 = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

describe('clauseHash', () => {
  it('puts statuses and age in one element, 32 bits apart', () => {
    expect(clauseHash(clause)).toBe(poseidon2([0b1010n, (18n << 32n) + 0xffffffffn]));
  });

  it('rejects the empty clause, whose hash is a constant', () => {
    expect(EMPTY_CLAUSE_HASH).toBe(poseidon2([0n, 0n]));
    expect(() => clauseHash(empty)).toThrow(withCode('CLAUSE_INVALID'));
  });
});

describe('ruleHash', () => {
  it('hashes eight slots. Unused slots contain the hash of the empty clause', async () => {
    const slots = [clauseHash(clause), ...Array(7).fill(EMPTY_CLAUSE_HASH)];
    expect(clauseHashes([clause])).toEqual(slots);
    expect(await ruleHash([clause])).toBe(sha256(Buffer.from(slots.map(hexOf).join(''), 'hex')));
  });

  it('changes with the order of the clauses', async () => {
    const other = { ...clause, minAge: 21 };
    expect(await ruleHash([clause, other])).not.toBe(await ruleHash([other, clause]));
  });

  it.each([
    ['no clause', []],
    ['nine clauses', Array(9).fill(clause)],
    ['an empty clause among others', [clause, empty]],
  ])('rejects %s', async (_, clauses) => {
    await expect(ruleHash(clauses)).rejects.toThrow(withCode('CLAUSE_INVALID'));
  });
});

describe('commitmentOf', () => {
  it('puts three attributes in one element, above every region mask', () => {
    const packed = 3n + 1n * 2n ** 8n + BigInt(attributes.birthDate) * 2n ** 13n + 2n ** 253n;
    expect(commitmentOf(attributes)).toBe(poseidon3([packed, 7n, 11n]));
  });

  it('changes with every attribute', () => {
    const commitments = [
      attributes,
      { ...attributes, region: 4 },
      { ...attributes, status: 2 },
      { ...attributes, birthDate: attributes.birthDate + 1 },
      { ...attributes, salt: 8n },
      { ...attributes, person: 8n },
    ].map(commitmentOf);
    expect(new Set(commitments).size).toBe(6);
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
    ['person', { person: FIELD_ORDER }],
    ['person', { person: -1n }],
    ['person', { person: undefined as unknown as bigint }],
  ])('rejects a %s out of range', (name, change) => {
    expect(() => commitmentOf({ ...attributes, ...change })).toThrow(
      expect.objectContaining({ code: 'WITNESS_INVALID', message: expect.stringContaining(name) }),
    );
  });

  it('does not repeat a value in its message', () => {
    const secret = FIELD_ORDER + 5n;
    for (const name of ['salt', 'person']) {
      expect(() => commitmentOf({ ...attributes, [name]: secret })).not.toThrow(String(secret));
    }
  });
});

describe('passHash', () => {
  const expiry = Buffer.from('00d2496b00000000', 'hex');

  it('is SHA-256 of tag, rule set, wallet and expiry without the three highest bits', async () => {
    const digest = BigInt(`0x${sha256('service:v1:pass', pass.rule, pass.wallet, expiry)}`);
    expect(await passHash(pass)).toBe(digest % 2n ** 253n);
  });

  it('fits the field for any digest', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 32 }, (_, index) => passHash({ ...pass, expiresAt: BigInt(index) })),
    );
    // The three bits are not zero by themselves: one digest in eight has none of them set.
    expect(hashes.every((hash) => hash < 2n ** 253n)).toBe(true);
    expect(hashes.some((hash) => hash >= 2n ** 252n)).toBe(true);
  });

  it('changes with every input, and with the first and last byte of both addresses', async () => {
    const passes = [
      pass,
      { ...pass, rule: changed(pass.rule, 0) },
      { ...pass, rule: changed(pass.rule, 31) },
      { ...pass, wallet: changed(pass.wallet, 0) },
      { ...pass, wallet: changed(pass.wallet, 31) },
      { ...pass, rule: pass.wallet, wallet: pass.rule },
      { ...pass, expiresAt: pass.expiresAt + 1n },
    ];
    expect(new Set(await Promise.all(passes.map(passHash))).size).toBe(passes.length);
  });

  it.each([
    ['a rule set of 31 bytes', { rule: new Uint8Array(31) }],
    ['a wallet of 31 bytes', { wallet: new Uint8Array(31) }],
    ['a wallet of 33 bytes', { wallet: new Uint8Array(33) }],
    ['a negative expiry', { expiresAt: -1n }],
    ['an expiry of 65 bits', { expiresAt: 2n ** 64n }],
  ])('rejects %s', async (_, change) => {
    await expect(passHash({ ...pass, ...change })).rejects.toThrow(withCode('CONTEXT_INVALID'));
  });
});

describe('scopeOf', () => {
  const { rule } = pass;

  it('is SHA-256 of tag, rule set and place without the three highest bits', async () => {
    const digest = BigInt(`0x${sha256('service:v1:person', rule, Uint8Array.of(254))}`);
    expect(await scopeOf({ rule, place: 254 })).toBe(digest % 2n ** 253n);
  });

  it('changes with every place, and with the first and last byte of the rule set', async () => {
    const places = Array.from({ length: 255 }, (_, place) => ({ rule, place }));
    const others = [changed(rule, 0), changed(rule, 31)].map((other) => ({ rule: other, place: 0 }));
    expect(new Set(await Promise.all([...places, ...others].map(scopeOf))).size).toBe(257);
  });

  it.each([
    ['a rule set of 31 bytes', { rule: new Uint8Array(31) }],
    ['a place below 0', { place: -1 }],
    ['a place above those that 255 wallets have', { place: 255 }],
    ['a part of a place', { place: 0.5 }],
  ])('rejects %s', async (_, change) => {
    await expect(scopeOf({ rule, place: 0, ...change })).rejects.toThrow(withCode('CONTEXT_INVALID'));
  });
});

describe('tagOf', () => {
  it('hashes person and scope in this order', () => {
    expect(tagOf({ person: 3n, scope: 5n })).toBe(poseidon2([3n, 5n]));
  });

  it.each([{ person: FIELD_ORDER }, { person: -1n }, { scope: FIELD_ORDER }])('rejects %o', (change) => {
    expect(() => tagOf({ person: 3n, scope: 5n, ...change })).toThrow(withCode('FIELD_OUT_OF_RANGE'));
  });
});

describe('contextHash', () => {
  it('hashes slots, commitment, day and pass in this order', () => {
    const { clauseHashes: slots, commitment, asOf } = facts;
    expect(contextHash(facts)).toBe(poseidon11([...slots, commitment, BigInt(asOf), facts.passHash]));
  });

  it('of a place has scope and tag in the last two slots, and a day that is 2^20 later', () => {
    const { clauseHashes: slots, commitment, asOf } = facts;
    const day = BigInt(asOf) + 2n ** 20n;
    const hash = poseidon11([...slots.slice(0, 6), 3n, 5n, commitment, day, facts.passHash]);
    expect(contextHash({ ...facts, place: { scope: 3n, tag: 5n } })).toBe(hash);
  });

  it.each([
    ['FIELD_OUT_OF_RANGE', { place: { scope: FIELD_ORDER, tag: 1n } }],
    ['FIELD_OUT_OF_RANGE', { place: { scope: 1n, tag: FIELD_ORDER } }],
    ['CONTEXT_INVALID', { place: { scope: 1n, tag: 2n }, clauseHashes: clauseHashes(Array(7).fill(clause)) }],
    ['FIELD_OUT_OF_RANGE', { commitment: FIELD_ORDER }],
    ['FIELD_OUT_OF_RANGE', { passHash: FIELD_ORDER }],
    ['FIELD_OUT_OF_RANGE', { clauseHashes: facts.clauseHashes.with(7, -1n) }],
    ['CONTEXT_INVALID', { clauseHashes: facts.clauseHashes.slice(1) }],
    ['CONTEXT_INVALID', { clauseHashes: [...facts.clauseHashes, EMPTY_CLAUSE_HASH] }],
    ['DATE_INVALID', { asOf: 0 }],
  ])('rejects with %s', (code, change) => {
    expect(() => contextHash({ ...facts, ...change })).toThrow(withCode(code));
  });
});

describe('circuitInput', () => {
  const clauses = [{ ...clause, minAge: 90 }, clause];
  const request = { ...pass, attributes, clauses, asOf: facts.asOf };

  it('contains the clause that holds, and a context hash of everything', async () => {
    const input = await circuitInput(request);
    const hashes = { clauseHashes: clauseHashes(clauses), passHash: await passHash(pass) };
    const context = { ...hashes, commitment: commitmentOf(attributes), asOf: facts.asOf };
    expect(input).toMatchObject({
      minAge: '18',
      clauseHashes: hashes.clauseHashes.map(String),
      passHash: String(hashes.passHash),
      contextHash: String(contextHash(context)),
    });
  });

  it('of a place contains its scope and the tag of the person', async () => {
    const input = await circuitInput({ ...request, place: 2 });
    const scope = await scopeOf({ rule: pass.rule, place: 2 });
    const tag = tagOf({ person: attributes.person, scope });
    const hashes = { clauseHashes: clauseHashes(clauses), passHash: await passHash(pass) };
    const context = {
      ...hashes,
      commitment: commitmentOf(attributes),
      asOf: facts.asOf,
      place: { scope, tag },
    };
    expect(input).toMatchObject({
      limited: '1',
      person: String(attributes.person),
      clauseHashes: [...hashes.clauseHashes.slice(0, 6), scope, tag].map(String),
      asOf: String(facts.asOf),
      contextHash: String(contextHash(context)),
    });
    expect(await circuitInput(request)).toMatchObject({ limited: '0' });
  });

  it('of a place has at most six clauses', async () => {
    const six = { ...request, clauses: Array(6).fill(clause), place: 0 };
    expect(await circuitInput(six)).toMatchObject({ limited: '1' });
    const seven = { ...six, clauses: Array(7).fill(clause) };
    await expect(circuitInput(seven)).rejects.toThrow(withCode('CLAUSE_INVALID'));
  });

  it('throws when no clause holds', async () => {
    const ineligible = { ...request, attributes: { ...attributes, region: 0 } };
    await expect(circuitInput(ineligible)).rejects.toThrow(withCode('NOT_ELIGIBLE'));
  });
});
