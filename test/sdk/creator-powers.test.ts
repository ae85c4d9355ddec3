/** What the creator of a rule set may do, from the request to the chain and back, and what everybody sees of it. */
import { programAddresses } from '@service/protocol';
import { verifyReceipt } from '@service/sdk';
import { closePass, fetchBinding, fetchPass, fetchRuleSet } from '@service/sdk/chain';
import { issueCredential, newWitness, PASS_FEE, transferSol } from '@service/server/test-service';
import type { Address, KeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc, clock: market.clock() });
const at = () => programAddresses(market.world.program);
let rule: Address;

beforeAll(async () => {
  const { signer, client } = market.issuer;
  const verifier = await at().verifier(market.world.keys.verifier.address);
  const request = { ...market.adults, powers: ['suspend', 'grant'] as ('suspend' | 'grant')[], verifier };
  ({ rule } = await market.live(() => client.createRuleSet(signer, request)));
  await transferSol(market.world, signer, { destination: rule, lamports: 10n * PASS_FEE });
  await market.world.finalize();
});

const suspend = (holder: Address, until: bigint) => {
  const { signer, client } = market.issuer;
  return market.live(() => client.suspend(signer, { rule, holder, until }));
};
const grant = (holder: Address, expiresAt: bigint) => {
  const { signer, client } = market.issuer;
  return market.live(() => client.grant(signer, { rule, holder, expiresAt }));
};

test('a request fixes powers and verifier, and everybody reads them', async () => {
  const verifier = await at().verifier(market.world.keys.verifier.address);
  const terms = { powers: ['suspend', 'grant'], verifier };
  expect(await fetchRuleSet({ ...chain(), rule })).toMatchObject(terms);
  const { ruleSets } = await market.live(() => market.issuer.client.passport());
  expect(ruleSets.find(({ address }) => address === rule)).toMatchObject(terms);
  expect(ruleSets.find(({ address }) => address === market.rule)).toMatchObject({
    powers: [],
    verifier: null,
  });
});

test('a suspension by the creator stops the pass for service and SDK alike, until it is lifted', async () => {
  const { signer, client, witness } = await market.party();
  const wallet = signer.address;
  await market.live(() => client.prove(signer, { rule, witness }));
  const until = BigInt(market.world.net.time) + 3_600n;
  expect(await suspend(wallet, until)).toMatchObject({
    kind: 'SUSPEND',
    pass: await at().pass(rule, wallet),
  });
  expect(await fetchPass({ ...chain(), rule, wallet })).toMatchObject({
    secondsLeft: 0n,
    suspendedUntil: until,
  });
  const passport = async () => market.live(() => client.passport());
  const [held] = (await passport()).passes.filter((pass) => pass.rule === rule);
  expect(held).toMatchObject({ suspendedUntil: until, granted: false, ended: false });
  expect((await passport()).ruleSets.find(({ address }) => address === rule)?.livePasses).toBe(0n);
  await expectRefusal(client.prove(signer, { rule, witness }), 'PASS_SUSPENDED');
  await suspend(wallet, 0n);
  await expectRefusal(suspend(wallet, 0n), 'PASS_NOT_SUSPENDED');
  await expectRefusal(suspend(wallet, 1n), 'INVALID_REQUEST');
  expect((await passport()).ruleSets.find(({ address }) => address === rule)?.livePasses).toBe(1n);
});

test('a suspended pass ends at once when nothing supports it, and is closed once it is no longer suspended', async () => {
  const parties = [await market.party(), await market.party()] as const;
  const until = BigInt(market.world.net.time) + 400n * 86_400n;
  for (const { signer, client, witness } of parties) {
    await market.live(() => client.prove(signer, { rule, witness }));
    await suspend(signer.address, until);
    await issueCredential(market.world, { wallet: signer.address, witness: newWitness(), secondsAhead: 1n });
  }
  const [ended, over] = parties.map(({ signer }) => signer) as [KeyPairSigner, KeyPairSigner];
  await market.live(() => closePass(ended, { ...chain(), rule }));
  const { expiresAt } = (await fetchPass({ ...chain(), rule, wallet: over.address }))!;
  // From then on, the suspension keeps the account also if nothing supports the pass.
  market.setTime(expiresAt + 86_400n);
  const suspended = { context: { closableAt: until } };
  for (const signer of [ended, over]) {
    await expectRefusal(closePass(signer, { ...chain(), rule }), 'PASS_LIVE', suspended);
  }
  market.setTime(until);
  for (const signer of [ended, over]) {
    await market.live(() => closePass(signer, { ...chain(), rule }));
    expect(await fetchPass({ ...chain(), rule, wallet: signer.address })).toBeNull();
  }
});

test('a granted pass is live and marked, and closePass says who can end it', async () => {
  const wallet = (await market.world.visitor()).address;
  const expiresAt = BigInt(market.world.net.time) + 3_600n;
  await expectRefusal(grant(wallet, 0n), 'PASS_NOT_GRANTED');
  expect(await grant(wallet, expiresAt)).toMatchObject({
    kind: 'GRANT',
    pass: await at().pass(rule, wallet),
  });
  const pass = await fetchPass({ ...chain(), rule, wallet });
  expect(pass).toMatchObject({ granted: true, expiresAt, suspendedUntil: 0n });
  expect(pass!.secondsLeft).toBeGreaterThan(0n);
  const closing = closePass(market.issuer.signer, { ...chain(), rule, holder: wallet });
  const message = expect.stringMatching(/The creator of the rule set granted or suspended it/);
  await expectRefusal(closing, 'PASS_LIVE', { message });
  await grant(wallet, 0n);
  expect(await fetchPass({ ...chain(), rule, wallet })).toBeNull();
});

test('nobody else has the powers of the creator', async () => {
  const { signer, client } = market.holder;
  const holder = market.issuer.signer.address;
  const time = BigInt(market.world.net.time) + 3_600n;
  await expectRefusal(client.suspend(signer, { rule, holder, until: time }), 'NOT_CREATOR');
  await expectRefusal(client.grant(signer, { rule, holder, expiresAt: time }), 'NOT_CREATOR');
  const own = market.issuer;
  const plain = { rule: market.rule, holder: signer.address };
  await expectRefusal(own.client.suspend(own.signer, { ...plain, until: time }), 'POWER_NOT_GIVEN');
  await expectRefusal(own.client.grant(own.signer, { ...plain, expiresAt: time }), 'POWER_NOT_GIVEN');
});

test('a binding honours granted passes if the request says so, and its receipt says it too', async () => {
  const { signer, client } = market.issuer;
  const [honouring, strict] = [await market.createMint(), await market.createMint()];
  const bind = (mint: Address, change: object) =>
    market.live(() => client.bindMint(signer, { mint, rule, requireSource: false, ...change }));
  const { operationId } = await bind(honouring, { honoursGranted: true });
  const other = await bind(strict, {});
  expect(await fetchBinding({ ...chain(), mint: honouring })).toMatchObject({ honoursGranted: true });
  expect(await fetchBinding({ ...chain(), mint: strict })).toMatchObject({ honoursGranted: false });
  const receipts = await Promise.all([operationId, other.operationId].map((id) => client.fetchReceipt(id)));
  expect(receipts.map((receipt) => 'honoursGranted' in JSON.parse(JSON.stringify(receipt)))).toEqual([
    true,
    false,
  ]);
  const check = (receipt: object) => verifyReceipt(JSON.stringify(receipt), { rpc: market.world.net.rpc });
  for (const receipt of receipts) await check(receipt);
  const invalid = { context: { field: 'honoursGranted' } };
  await expectRefusal(check({ ...receipts[0], honoursGranted: undefined }), 'RECEIPT_INVALID', invalid);
  await expectRefusal(check({ ...receipts[1], honoursGranted: true }), 'RECEIPT_INVALID', invalid);
});
