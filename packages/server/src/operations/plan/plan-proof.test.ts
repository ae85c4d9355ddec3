import { readArtifacts } from '@service/circuit';
import { networkResponse } from '@service/contract';
import { programAddresses } from '@service/protocol';
import { dateCodeAt } from '@service/protocol/eligibility';
import { getPassCodec, getRuleSetCodec, getSetMaxPassFeeInstruction } from '@service/protocol/generated';
import {
  endProver,
  issueCredential,
  newWitness,
  nextCircuit,
  PASS_FEE,
  proveRuleSet,
  retireCircuit,
  ruleSetBody,
  send,
  setCircuit,
  setPassFee,
  setVerifier,
  transferSol,
  type Visitor,
} from '@service/server/test-service';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { changeAccount } from '../../../../../test/support/change-account.ts';
import { testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();
afterAll(endProver);

const NO_PROOF = Buffer.alloc(256, 1).toString('base64');
const inAnHour = () => BigInt(world.net.time) + 3_600n;

async function createRuleSet(visitor: Visitor) {
  const body = ruleSetBody();
  const { rule } = await world.finish(visitor, await visitor.prepare('/api/rules', body));
  return { body, rule: rule as Address };
}

/** Returns the finalized pass of a wallet. */
const passOf = async (rule: Address, { address }: Visitor) =>
  (await world.account('pass', await programAddresses(world.program).pass(rule, address)))?.data;
const INVALID_PROOF = { status: 400, code: 'PROOF_INVALID' };

test('a wallet gets its pass, and is rejected with a code until all conditions are met', async () => {
  const visitor = await world.signedIn();
  const prove = (rule: Address, proof: string, expiresAt = inAnHour()) =>
    visitor.prepare('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });

  const unused = (await generateKeyPairSigner()).address;
  expect(await prove(unused, NO_PROOF)).toMatchObject({ status: 404, code: 'NOT_FOUND' });

  const { body, rule } = await createRuleSet(visitor);
  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 409, code: 'CREDENTIAL_REQUIRED' });

  const witness = newWitness();
  await issueCredential(world, { wallet: visitor.address, witness, lifetimeSeconds: 43_200n });
  await setVerifier(world, false);
  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 409, code: 'VERIFIER_INACTIVE' });
  await setVerifier(world, true);

  await changeAccount(world.net, rule, getRuleSetCodec(), { verifier: unused });
  const accepted = { status: 409, code: 'VERIFIER_NOT_ACCEPTED', message: expect.stringContaining(unused) };
  expect(await prove(rule, NO_PROOF)).toMatchObject(accepted);
  await changeAccount(world.net, rule, getRuleSetCodec(), { verifier: null });

  await setPassFee(world, null);
  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 503, code: 'PASS_FEE_UNSET' });
  await setPassFee(world, PASS_FEE);

  const agree = async (lamports: bigint) => {
    const limit = { creator: visitor.signer, ruleSet: rule, lamports };
    await send(world, visitor.signer, [
      getSetMaxPassFeeInstruction(limit, { programAddress: world.program }),
    ]);
  };
  await agree(PASS_FEE - 1n);
  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 409, code: 'PASS_FEE_ABOVE_LIMIT' });
  await agree(PASS_FEE);

  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 409, code: 'PASS_FEE_UNFUNDED' });
  await transferSol(world, visitor.signer, { destination: rule, lamports: PASS_FEE - 1n });
  expect(await prove(rule, NO_PROOF)).toMatchObject({ status: 409, code: 'PASS_FEE_UNFUNDED' });
  await transferSol(world, visitor.signer, { destination: rule, lamports: 1n });
  await world.finalize();

  const now = BigInt(world.net.time);
  for (const [expiresAt, why] of [
    [now - 60n, 'later than the chain time'],
    [now + 86_400n + 600n, 'maxPassAgeSeconds'],
    [now + 43_200n + 60n, 'credential'],
    [2n ** 64n - 1n, 'maxPassAgeSeconds'],
  ] as const) {
    const refused = await prove(rule, NO_PROOF, expiresAt);
    expect(refused, why).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(why) });
  }

  const expiresAt = inAnHour();
  const own = { rule, wallet: visitor.address, witness, body, expiresAt };
  const proof = await proveRuleSet(own);
  const wrong = {
    'no proof at all': NO_PROOF,
    'a byte changed': changed(proof),
    'another wallet’s': await proveRuleSet({ ...own, wallet: unused }),
    'of another expiry': await proveRuleSet({ ...own, expiresAt: expiresAt + 1n }),
    'of another salt': await proveRuleSet({ ...own, witness: newWitness() }),
    'of another rule set': await proveRuleSet({ ...own, rule: unused }),
    'of other clauses': await proveRuleSet({
      ...own,
      body: { ...body, clauses: [{ regions: ['FR', 'DE'], statuses: ['retail'], minAge: 18 }] },
    }),
  };
  for (const [name, each] of Object.entries(wrong)) {
    expect(await prove(rule, each, expiresAt), name).toMatchObject(INVALID_PROOF);
  }

  const draft = await prove(rule, proof, expiresAt);
  expect(draft.body).toMatchObject({ state: 'DRAFT', kind: 'PROVE' });
  expect(await world.finish(visitor, draft)).toMatchObject({ state: 'FINALIZED' });
  expect(await passOf(rule, visitor)).toMatchObject({ rule, wallet: visitor.address, expiresAt });

  const pass = await programAddresses(world.program).pass(rule, visitor.address);
  const suspend = (until: bigint) =>
    changeAccount(world.net, pass, getPassCodec(), { suspendedUntil: until });
  await suspend(BigInt(world.net.time) + 60n);
  const suspended = {
    status: 409,
    code: 'PASS_SUSPENDED',
    message: expect.stringContaining('Ask the creator.'),
  };
  expect(await prove(rule, NO_PROOF)).toMatchObject(suspended);
  await suspend(BigInt(world.net.time));
  expect(await prove(rule, NO_PROOF)).not.toMatchObject({ code: 'PASS_SUSPENDED' });

  world.net.setTime(world.net.time + 43_200);
  world.net.advanceSlots(1);
  await world.finalize();
  expect(await prove(rule, proof)).toMatchObject({ status: 409, code: 'CREDENTIAL_EXPIRED' });
});

test('a proof may count age on a day that begins within two minutes, because the finalized time is behind', async () => {
  const midnight = (Math.floor(world.net.time / 86_400) + 1) * 86_400;
  const asOf = dateCodeAt(BigInt(midnight));
  for (const [before, answer] of [
    [150, INVALID_PROOF],
    [90, { status: 200 }],
  ] as const) {
    world.net.setTime(midnight - before);
    world.net.advanceSlots(1);
    await world.finalize();
    const person = await eligiblePerson();
    expect(await person.prepare({ asOf })).toMatchObject(answer);
  }
});

test('proofs of the old and the new circuit are both accepted until the old one retires', async () => {
  const id = { before: (await readArtifacts()).manifest.circuit, next: 'eligibility-next' };
  const next = await nextCircuit();
  await setCircuit(world, { ...next, graceSeconds: 86_400n });
  await world.finalize();

  const [early, late, tooLate, broken] = await Promise.all(Array.from({ length: 4 }, () => eligiblePerson()));
  expect(await prove(early!, {})).toBe(id.before);
  expect(await prove(late!, { zkey: next.zkey })).toBe(id.next);
  expect(await listed()).toEqual({ active: id.next, accepted: [id.next, id.before] });

  const draft = await tooLate!.prepare({});
  expect(draft.status, draft.message).toBe(200);
  await retireCircuit(world, { id: id.before });
  // It was signed before the circuit retired and lands after that: the program rejects it.
  expect(await world.finish(tooLate!.visitor, draft)).toMatchObject({
    state: 'FAILED',
    failure: { reason: 'ON_CHAIN_ERROR', programError: { name: 'CIRCUIT_RETIRED' } },
  });
  expect(await tooLate!.prepare({})).toMatchObject(INVALID_PROOF);
  expect(await prove(tooLate!, { zkey: next.zkey })).toBe(id.next);
  expect(await listed()).toEqual({ active: id.next, accepted: [id.next] });

  await retireCircuit(world, { id: id.next, unsound: true });
  expect(await broken!.prepare({ zkey: next.zkey })).toMatchObject(INVALID_PROOF);
  expect(await listed()).toEqual({ active: id.next, accepted: [] });
});

/** Returns the ids of the circuits in `GET /api/network`. */
async function listed() {
  const response = await world.created.app.request('/api/network');
  const { circuit, circuits } = z.decode(networkResponse, (await response.json()) as never);
  return { active: circuit?.id, accepted: circuits?.map(({ id }) => id) };
}

/** Sets up a signed-in wallet with a credential, and a funded rule set that it meets. */
async function eligiblePerson() {
  const visitor = await world.signedIn();
  const { body, rule } = await createRuleSet(visitor);
  await transferSol(world, visitor.signer, { destination: rule, lamports: PASS_FEE });
  const witness = newWitness();
  await issueCredential(world, { wallet: visitor.address, witness });
  const expiresAt = inAnHour();
  return {
    visitor,
    rule,
    /** Prepares the pass with a proof by the committed proving key, or another, or for another day. */
    async prepare(key: { zkey?: Uint8Array; asOf?: number }) {
      const proof = await proveRuleSet({ rule, wallet: visitor.address, witness, body, expiresAt, ...key });
      return visitor.prepare('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
    },
  };
}

/** Proves until the pass is finalized; returns the id of the circuit in the pass. */
async function prove(
  person: Awaited<ReturnType<typeof eligiblePerson>>,
  key: { zkey?: Uint8Array },
): Promise<string> {
  const { visitor, rule } = person;
  const draft = await person.prepare(key);
  expect(await world.finish(visitor, draft)).toMatchObject({ state: 'FINALIZED' });
  const pass = await passOf(rule, visitor);
  const circuit = pass && (await world.account('circuit', pass.circuit));
  return circuit?.data.id ?? 'no pass';
}

function changed(proof: string): string {
  const bytes = Buffer.from(proof, 'base64');
  bytes[255] = (bytes[255] ?? 0) ^ 1;
  return bytes.toString('base64');
}
