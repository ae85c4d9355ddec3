/** Rule sets that limit the wallets of each person, on a real cluster: from the request to the chain and back. */
import { addressBytes } from '@service/contract';
import { programAddresses, readAccount } from '@service/protocol';
import { FIELD_ORDER, fieldToBytes, scopeOf, tagOf } from '@service/protocol/eligibility';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  latestPassExpiry,
  type ServiceClient,
  verifyReceipt,
  type Witness,
} from '@service/sdk';
import { fetchPass, fetchPlaces, fetchRuleSet } from '@service/sdk/chain';
import { issueCredential, newWitness, PASS_FEE, transferSol } from '@service/server/test-service';
import type { Address, KeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock() });
const at = () => programAddresses(market.world.program);
const HOUR = 3_600n;
const now = () => BigInt(market.world.net.time);
let verifier: Address;
let rule: Address;

/** Creates a rule set for adults with other terms, and pass funds. */
async function createRuleSet(terms: object): Promise<Address> {
  const { signer, client } = market.issuer;
  const created = await market.live(() => client.createRuleSet(signer, { ...market.adults, ...terms }));
  await transferSol(market.world, signer, { destination: created.rule, lamports: 30n * PASS_FEE });
  await market.world.finalize();
  return created.rule;
}

/** A wallet that is signed in and has a credential. */
interface Holder {
  readonly signer: KeyPairSigner;
  readonly client: ServiceClient;
  readonly witness: Witness;
}

/** Creates wallets of one person, each with its own credential and salt. */
async function walletsOfPerson(count: number): Promise<Holder[]> {
  const { person } = newWitness();
  const wallets: Holder[] = [];
  for (let index = 0; index < count; index += 1) {
    const { signer, client, witness } = await market.party();
    const attributes = { ...newWitness(), person };
    market.setTime(now() + 2n);
    await issueCredential(market.world, { wallet: signer.address, witness: attributes });
    const own = { ...witness, salt: String(attributes.salt), person: String(person) };
    wallets.push({ signer, client, witness: own });
  }
  return wallets;
}

const prove = ({ signer, client, witness }: Holder, replaces?: Address, of = rule) =>
  market.live(() => client.prove(signer, { rule: of, witness, ...(replaces ? { replaces } : {}) }));
const placesOf = ({ witness }: Holder, of = rule) => fetchPlaces({ ...chain(), rule: of, witness });
const holdersOf = async (holder: Holder) => new Set((await placesOf(holder)).map(({ wallet }) => wallet));
const lives = async ({ signer }: Holder, of = rule) =>
  ((await fetchPass({ ...chain(), rule: of, wallet: signer.address }))?.secondsLeft ?? 0n) > 0n;

/** Returns the reasons of `checkProof` about places; none if a proof would open a pass. */
async function reasonsOf({ signer, client, witness }: Holder, replaces?: Address, of = rule) {
  const check = await client.checkProof({ rule: of, witness, replaces }, { wallet: signer.address });
  return check.ok ? [] : check.reasons.filter(({ code }) => /PLACE/.test(code));
}

/** Makes a proof for a place, without the client's choice of one. */
async function proofFor({ client, witness }: Holder, place: number | undefined, of = rule) {
  const facts = await client.proofContext({ rule: of });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
  return generateEligibilityProof(context, witness, client.artifacts, { place });
}

beforeAll(async () => {
  verifier = await at().verifier(market.world.keys.verifier.address);
  rule = await createRuleSet({ verifier, walletsPerPerson: 2 });
});

test('a request fixes the limit, and everybody reads it', async () => {
  expect(await fetchRuleSet({ ...chain(), rule })).toMatchObject({ walletsPerPerson: 2, verifier });
  const { client, signer } = market.issuer;
  const { ruleSets } = await market.live(() => client.passport());
  const limitOf = (address: Address) => ruleSets.find((each) => each.address === address)?.walletsPerPerson;
  expect([limitOf(rule), limitOf(market.rule)]).toEqual([2, 0]);
  const { clauses } = market.adults;
  const tooMany = Array.from({ length: 7 }, () => clauses[0]!);
  for (const terms of [
    { walletsPerPerson: 1 },
    { walletsPerPerson: 1, verifier, clauses: tooMany },
    { walletsPerPerson: 256, verifier },
    { walletsPerPerson: -1, verifier },
  ]) {
    const creating = client.createRuleSet(signer, { ...market.adults, ...terms });
    await expectRefusal(creating, 'INVALID_REQUEST');
  }
});

test('a person proves with as many wallets as the rule set allows, each in a place of its own', async () => {
  const [first, second, third] = (await walletsOfPerson(3)) as [Holder, Holder, Holder];
  expect(await placesOf(first)).toEqual(
    [0, 1].map((place) => ({ place, wallet: null, since: null, replaceableAt: null })),
  );
  await prove(first);
  const taken = now();
  expect([...(await holdersOf(second))].sort()).toEqual([first.signer.address, null].sort());
  await prove(second);
  expect(await holdersOf(third)).toEqual(new Set([first.signer.address, second.signer.address]));
  for (const { since, replaceableAt } of await placesOf(first)) {
    expect(since).toBeGreaterThanOrEqual(taken - 60n);
    expect(replaceableAt).toBe(since! + HOUR);
  }
  await expectRefusal(prove(third), 'NO_PLACE_FREE');
  expect(await reasonsOf(third)).toEqual([{ code: 'NO_PLACE_FREE', who: 'holder' }]);
  expect(await reasonsOf(first)).toEqual([]);
  expect([await lives(first), await lives(second), await lives(third)]).toEqual([true, true, false]);

  // A renewal keeps the place.
  market.setTime(now() + 13n * HOUR);
  await prove(first);
  expect(await holdersOf(third)).toEqual(new Set([first.signer.address, second.signer.address]));

  // Another person has places of its own.
  const [other] = (await walletsOfPerson(1)) as [Holder];
  await prove(other);
  expect(await holdersOf(other)).toEqual(new Set([other.signer.address, null]));
});

test('a wallet replaces a lost one of the same person, an hour after it took the place', async () => {
  const [lost, other, found] = (await walletsOfPerson(3)) as [Holder, Holder, Holder];
  await prove(lost);
  await prove(other);
  const early = prove(found, lost.signer.address);
  await expectRefusal(early, 'PLACE_TAKEN_TOO_SOON');
  expect(await reasonsOf(found, lost.signer.address)).toEqual([
    { code: 'PLACE_TAKEN_TOO_SOON', who: 'holder' },
  ]);
  market.setTime(now() + HOUR);
  expect(await reasonsOf(found, lost.signer.address)).toEqual([]);
  expect(await reasonsOf(found, found.signer.address)).toEqual([{ code: 'PLACE_NOT_HELD', who: 'holder' }]);
  for (const nobody of [market.issuer.signer.address, found.signer.address])
    await expectRefusal(prove(found, nobody), 'PLACE_NOT_HELD');
  await expectRefusal(prove(found), 'NO_PLACE_FREE');
  const { operationId } = await prove(found, lost.signer.address);
  const receipt = await found.client.fetchReceipt(operationId);
  const [held] = (await placesOf(found)).filter(({ wallet }) => wallet === found.signer.address);
  const place = await addressOfPlace(held!.place, BigInt(found.witness.person));
  expect(receipt).toMatchObject({ kind: 'PROVE', place, replaced: lost.signer.address });
  const check = (given: unknown) => verifyReceipt(given, { rpc: market.world.net.rpc });
  expect(await check(JSON.stringify(receipt))).toEqual(receipt);
  for (const changed of [{ replaced: other.signer.address }, { replaced: undefined }, { place: rule }])
    await expectRefusal(check({ ...receipt, ...changed }), 'RECEIPT_INVALID');
  const { db } = market.world.database;
  const events = await db
    .selectFrom('event')
    .select(['wallet', 'data'])
    .where('type', '=', 'place.taken')
    .execute();
  expect(events).toHaveLength(1);
  expect(events[0]!.wallet).toBe(found.signer.address);
  expect(events[0]!.data).toMatchObject({ rule, replaced: lost.signer.address });
  expect(await holdersOf(lost)).toEqual(new Set([other.signer.address, found.signer.address]));
  expect([await lives(lost), await lives(other), await lives(found)]).toEqual([false, true, true]);
  await expectRefusal(prove(lost), 'NO_PLACE_FREE');
  // The pass of the lost wallet says why it ended.
  expect(await reasonsOf(lost)).toEqual([{ code: 'NO_PLACE_FREE', who: 'holder' }]);
});

test('nobody replaces a wallet that the creator suspended', async () => {
  const strict = await createRuleSet({ verifier, walletsPerPerson: 1, powers: ['suspend'] });
  const [bad, next] = (await walletsOfPerson(2)) as [Holder, Holder];
  await prove(bad, undefined, strict);
  const { client, signer } = market.issuer;
  const until = now() + 100n * HOUR;
  const suspension = { rule: strict, holder: bad.signer.address, until };
  await market.live(() => client.suspend(signer, suspension));
  market.setTime(now() + HOUR);
  await expectRefusal(prove(next, bad.signer.address, strict), 'PLACE_HELD_BY_SUSPENDED');
  expect(await reasonsOf(next, bad.signer.address, strict)).toEqual([
    { code: 'PLACE_HELD_BY_SUSPENDED', who: 'issuer' },
  ]);
  // The service refuses the proof too.
  const proof = await proofFor(next, 0, strict);
  const posting = next.client.prepare.prove({ ...proof, replaces: bad.signer.address });
  await expectRefusal(posting, 'PLACE_HELD_BY_SUSPENDED');
});

test('a rule set without a limit takes no place and replaces nobody', async () => {
  const [holder] = (await walletsOfPerson(1)) as [Holder];
  expect(await placesOf(holder, market.rule)).toEqual([]);
  await expectRefusal(prove(holder, market.issuer.signer.address, market.rule), 'PLACE_NOT_IN_RULE_SET');
  await expectRefusal(proofFor(holder, 0, market.rule), 'INVALID_ARGUMENT');
  expect(await reasonsOf(holder, undefined, market.rule)).toEqual([]);
  expect(await reasonsOf(holder, market.issuer.signer.address, market.rule)).toEqual([
    { code: 'PLACE_NOT_IN_RULE_SET', who: 'holder' },
  ]);
  const checking = holder.client.checkProof({ rule, witness: holder.witness, replaces: 'nobody' as Address });
  await expectRefusal(checking, 'INVALID_ARGUMENT');
});

test('the service checks the place of a proof that it gets', async () => {
  const [first, second, third] = (await walletsOfPerson(3)) as [Holder, Holder, Holder];
  for (const place of [undefined, 2, -1, 0.5])
    await expectRefusal(proofFor(first, place), 'INVALID_ARGUMENT');
  const proof = await proofFor(first, 1);
  expect(proof.proof).toHaveLength(289);
  const opened = await market.live(() => first.client.prove(first.signer, proof));
  expect(opened.pass).toBe(await at().pass(rule, first.signer.address));

  const post = ({ client }: Holder, posted: typeof proof, replaces?: Address) =>
    client.prepare.prove({ ...posted, replaces });
  const other = await proofFor(second, 1);
  const withPlace = (number: number) => ({ ...other, proof: other.proof.with(256, number) });
  await expectRefusal(post(second, other), 'PLACE_TAKEN');
  await expectRefusal(post(second, other, third.signer.address), 'PLACE_NOT_HELD');
  await expectRefusal(post(second, other, first.signer.address), 'PLACE_TAKEN_TOO_SOON');
  await expectRefusal(post(second, withPlace(2)), 'PLACE_NOT_IN_RULE_SET');
  await expectRefusal(post(second, { ...other, proof: other.proof.slice(0, 256) }), 'PLACE_NOT_IN_RULE_SET');
  const free = await proofFor(second, 0);
  // The place, the tag and the wallet to replace are bound to the proof or to the account of the place.
  await expectRefusal(post(second, { ...free, proof: free.proof.with(256, 1) }), 'PROOF_INVALID');
  await expectRefusal(
    post(second, { ...free, proof: free.proof.with(288, free.proof[288]! ^ 1) }),
    'PROOF_INVALID',
  );
  await expectRefusal(post(second, { ...free, proof: free.proof.fill(255, 257) }), 'PROOF_INVALID');
  const unlimited = await proofFor(third, undefined, market.rule);
  const longer = Uint8Array.of(...unlimited.proof, ...new Uint8Array(33));
  await expectRefusal(post(third, { ...unlimited, proof: longer }), 'PLACE_NOT_IN_RULE_SET');
  await expectRefusal(post(third, unlimited, first.signer.address), 'PLACE_NOT_IN_RULE_SET');
});

test('the RPC is asked for one place at a time, in a random order', async () => {
  const many = await createRuleSet({ verifier, walletsPerPerson: 20 });
  const [holder] = (await walletsOfPerson(1)) as [Holder];
  const orders: Address[][] = [];
  for (const _ of [1, 2]) {
    const asked: Address[] = [];
    const rpc = watching(asked);
    expect(await fetchPlaces({ ...chain(), rpc, rule: many, witness: holder.witness })).toHaveLength(20);
    // The first request is for the rule set.
    orders.push(asked.slice(1));
  }
  for (const order of orders) expect(new Set(order).size).toBe(20);
  expect(orders[0]!.toSorted()).toEqual(orders[1]!.toSorted());
  expect(orders[0]).not.toEqual(orders[1]);
});

test('the RPC of a person who proves sees no two places in one request', async () => {
  const [holder] = (await walletsOfPerson(1)) as [Holder];
  const places: string[] = [];
  const { person } = holder.witness;
  for (const { place } of await placesOf(holder)) places.push(await addressOfPlace(place, BigInt(person)));
  const requests: Address[][] = [];
  const client = market.newClient({ rpc: watchingRequests(requests) });
  await client.authenticate(holder.signer, market.deployment.genesisHash);
  await market.live(() => client.prove(holder.signer, { rule, witness: holder.witness }));
  const counts = requests.map((addresses) => addresses.filter((each) => places.includes(each)).length);
  expect(Math.max(...counts)).toBe(1);
});

/** Returns the address of a place of a person. */
async function addressOfPlace(number: number, person: bigint): Promise<Address> {
  const scope = await scopeOf({ rule: addressBytes(rule), place: number });
  return at().place(rule, fieldToBytes(tagOf({ person, scope })));
}

/** Returns an RPC that notes the account of each `getAccountInfo`. */
function watching(asked: Address[]) {
  return watchingRequests({ push: (addresses: Address[]) => asked.push(...addresses) });
}

/** Returns an RPC that notes the accounts of each request. */
function watchingRequests(requests: { push(addresses: Address[]): void }) {
  const { rpc } = market.world.net;
  return new Proxy(rpc, {
    get(target, name: keyof typeof rpc) {
      const method = target[name] as (...given: unknown[]) => unknown;
      if (name !== 'getAccountInfo' && name !== 'getMultipleAccounts') return method;
      return (...given: unknown[]) => {
        requests.push([given[0]].flat() as Address[]);
        return method(...given);
      };
    },
  });
}

test('a witness whose person is no field element is refused as one', async () => {
  const [holder] = (await walletsOfPerson(1)) as [Holder];
  const witness = { ...holder.witness, person: `${FIELD_ORDER}` };
  await expectRefusal(placesOf({ ...holder, witness }), 'WITNESS_INVALID');
  await expectRefusal(prove({ ...holder, witness }), 'WITNESS_INVALID');
});

test('a witness of another credential is refused as one, before its places are read', async () => {
  const [holder, other] = (await walletsOfPerson(2)) as [Holder, Holder];
  const stranger = { ...holder, witness: { ...holder.witness, person: String(newWitness().person) } };
  await expectRefusal(prove(stranger, other.signer.address), 'WITNESS_INVALID');
});

test('a place on chain names the wallet and its pass', async () => {
  const [holder] = (await walletsOfPerson(1)) as [Holder];
  await prove(holder);
  const [held] = (await placesOf(holder)).filter(({ wallet }) => wallet !== null);
  const address = await addressOfPlace(held!.place, BigInt(holder.witness.person));
  const { rpc } = market.world.net;
  const place = await readAccount(
    { rpc, program: market.world.program, commitment: 'finalized' },
    'place',
    address,
  );
  const pass = await at().pass(rule, holder.signer.address);
  expect(place?.data).toMatchObject({ rule, wallet: holder.signer.address, pass, since: held!.since });
});
