/** Passes closed on a real cluster, and what else `@service/sdk/chain` reads there. */

import { closePass, fetchBinding, fetchCredential, fetchPass, fetchRuleSet } from '@service/sdk/chain';
import { setVerifier } from '@service/test-support/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Market, startMarket } from './support/market.ts';

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market?.close());

const chain = () => ({ deployment: market.deployment, rpc: market.world.net.rpc });

test('records are read as they stand on chain, and null where there is none', async () => {
  const { issuer, mint, rule, world } = market;
  expect(await fetchBinding({ ...chain(), mint })).toMatchObject({
    mint,
    rule,
    issuer: issuer.signer.address,
    requireSource: true,
  });
  expect(await fetchBinding({ ...chain(), mint: rule })).toBeNull();
  const wallet = issuer.signer.address;
  expect(await fetchCredential({ ...chain(), wallet })).toMatchObject({ wallet, revoked: false });
  expect(await fetchCredential({ ...chain(), wallet: world.keys.payer.address })).toBeNull();
});

test('a pass is closed by anyone once it has expired and could be renewed, and the holder gets its rent', async () => {
  const { holder, issuer, rule, world } = market;
  const wallet = holder.signer.address;
  const asked = { ...chain(), rule, holder: wallet };
  const pass = await fetchPass({ ...chain(), rule, wallet });
  const { maxPassAgeSeconds } = (await fetchRuleSet({ ...chain(), rule }))!;
  const renewableAt = pass!.issuedAt + maxPassAgeSeconds / 2n;
  expect(renewableAt).toBeGreaterThan(pass!.expiresAt);
  const live = { code: 'PASS_LIVE', context: { expiresAt: pass!.expiresAt, closableAt: renewableAt } };
  await expect(closePass(issuer.signer, asked)).rejects.toMatchObject(live);

  const reach = (time: bigint) => {
    world.net.setTime(time);
    world.net.advanceSlots(1);
  };
  const secondsLeft = async () => (await fetchPass({ ...chain(), rule, wallet }))!.secondsLeft;
  reach(pass!.expiresAt - 1_000n);
  // By the chain's time, of which this machine knows nothing.
  expect(Number(await secondsLeft())).toBeCloseTo(1_000, -2);
  // Expired, but closing it would be a way round the limit of renewals.
  reach(pass!.expiresAt + 10n);
  await expect(closePass(issuer.signer, asked)).rejects.toMatchObject(live);

  expect(await secondsLeft()).toBe(0n);

  reach(renewableAt);
  const lamports = async () => (await world.rpc.getBalance(wallet).send()).value;
  const [before, rent] = [await lamports(), (await world.rpc.getBalance(pass!.address).send()).value];
  // Signed by a wallet that signs transactions alone.
  const { address, signTransactions } = issuer.signer;
  await market.live(() => closePass({ address, signTransactions }, asked));
  expect(await fetchPass({ ...chain(), rule, wallet })).toBeNull();
  expect(await lamports()).toBe(before + rent);
  await expectRefusal(closePass(issuer.signer, asked), 'ACCOUNT_NOT_FOUND');
});

test('a pass whose verifier is switched off is closed at once, by default one’s own', async () => {
  const { issuer, rule, world } = market;
  const { signer, client, witness } = await market.party();
  await market.live(() => client.prove(signer, { rule, witness }));
  const asked = { ...chain(), rule };
  await expectRefusal(closePass(signer, asked), 'PASS_LIVE');
  await setVerifier(world, false);
  const { signature } = await market.live(() => closePass(signer, asked));
  expect(signature).toMatch(/^\w{64,88}$/);
  expect(await fetchPass({ ...asked, wallet: signer.address })).toBeNull();
  expect(await fetchPass({ ...asked, wallet: issuer.signer.address })).not.toBeNull();
});
