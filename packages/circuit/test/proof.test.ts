import {
  circuitInput,
  clauseHashes,
  commitmentOf,
  contextHash,
  dateCode,
  decodeProof,
  encodeProof,
  passHash,
  scopeOf,
  tagOf,
} from '@service/protocol/eligibility';
import type { Proof } from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endProver, prove, verify, witnessOf } from './support/prover.ts';

const attributes = {
  region: 15,
  status: 31,
  birthDate: dateCode({ year: 2004, month: 2, day: 29 }),
  salt: 21888242871839275222246405745257275088548364400416034343698204186575808495616n,
  person: 0x9e3779b97f4a7c15n << 180n,
};
const clauses = [
  { regionMask: 1n << 252n, statusMask: 1, minAge: 0 },
  { regionMask: (1n << 15n) | (1n << 16n), statusMask: 2 ** 31, minAge: 20 },
  { regionMask: 1n, statusMask: 2 ** 32 - 1, minAge: 99 },
];
const pass = {
  rule: Uint8Array.from({ length: 32 }, (_, index) => index),
  wallet: Uint8Array.from({ length: 32 }, (_, index) => 255 - index),
  expiresAt: 1_711_929_600n,
};
const facts = {
  clauseHashes: clauseHashes(clauses),
  commitment: commitmentOf(attributes),
  asOf: dateCode({ year: 2024, month: 2, day: 29 }),
  passHash: await passHash(pass),
};
const context = contextHash(facts);

afterAll(endProver);

describe('a proof', () => {
  let witness: Uint8Array;
  let proof: Proof;

  beforeAll(async () => {
    witness = await witnessOf(await circuitInput({ ...pass, asOf: facts.asOf, attributes, clauses }));
    const proved = await prove(witness);
    expect(proved.publicSignals).toEqual([context.toString()]);
    proof = proved.proof;
  });

  it('verifies against the context hash that the chain computes, with the committed keys', async () => {
    expect(await verify(proof, context)).toBe(true);
  });

  it('can be encoded as 256 bytes and decoded again', async () => {
    const bytes = encodeProof(proof);
    expect(bytes).toHaveLength(256);
    expect(decodeProof(bytes)).toEqual(proof);
  });

  const otherAddress = (address: Uint8Array) => address.with(31, (address[31] ?? 0) ^ 1);
  it.each([
    ['rule set', { rule: otherAddress(pass.rule) }, {}],
    ['wallet', { wallet: otherAddress(pass.wallet) }, {}],
    ['expiry', { expiresAt: pass.expiresAt + 1n }, {}],
    ['day', {}, { asOf: facts.asOf - 1 }],
    ['list of clauses', {}, { clauseHashes: clauseHashes(clauses.slice(1)) }],
    ['credential', {}, { commitment: commitmentOf({ ...attributes, salt: 1n }) }],
    ['person', {}, { commitment: commitmentOf({ ...attributes, person: 1n }) }],
    ['kind of rule set', {}, { place: { scope: 1n, tag: 2n } }],
  ])('is rejected for another %s', async (_, ofPass, change) => {
    const other = contextHash({ ...facts, passHash: await passHash({ ...pass, ...ofPass }), ...change });
    expect(other).not.toBe(context);
    expect(await verify(proof, other)).toBe(false);
  });

  it('does not verify if the public signal in the witness was changed', async () => {
    const forged = Uint8Array.from(witness);
    // Wire 0 is the constant 1, wire 1 the public signal: the last 32-byte words of the file are the wires.
    const wires = new DataView(forged.buffer).getUint32(60, true);
    const publicSignal = forged.length - wires * 32 + 32;
    forged[publicSignal] = (forged[publicSignal] ?? 0) ^ 1;
    const forgery = await prove(forged);
    expect(forgery.publicSignals[0]).not.toBe(context.toString());
    expect(await verify(forgery.proof, BigInt(forgery.publicSignals[0] ?? 0))).toBe(false);
  });
});

describe('a proof for a place of the person', () => {
  const { person } = attributes;
  let proof: Proof;

  beforeAll(async () => {
    const request = { ...pass, asOf: facts.asOf, attributes, clauses, place: 1 };
    proof = (await prove(await witnessOf(await circuitInput(request)))).proof;
  });

  const hashesOf = async (rule: Uint8Array, place: number, of = person) => {
    const scope = await scopeOf({ rule, place });
    return { scope, tag: tagOf({ person: of, scope }) };
  };
  const verifies = (place: { scope: bigint; tag: bigint } | undefined) =>
    verify(proof, contextHash({ ...facts, place }));

  it('verifies with the scope of the place and the tag of the person', async () => {
    expect(await verifies(await hashesOf(pass.rule, 1))).toBe(true);
  });

  it('is rejected for another place, rule set, person or kind of rule set', async () => {
    const { scope } = await hashesOf(pass.rule, 1);
    expect(await verifies(await hashesOf(pass.rule, 0))).toBe(false);
    expect(await verifies(await hashesOf(pass.wallet, 1))).toBe(false);
    expect(await verifies({ scope, tag: tagOf({ person: person + 1n, scope }) })).toBe(false);
    expect(await verifies(undefined)).toBe(false);
  });
});
