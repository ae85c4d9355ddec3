/** Passes closed on a real cluster, and what else `@service/sdk/chain` reads there. */

import {
  closePass,
  discardCredential,
  fetchBinding,
  fetchCredential,
  fetchHolders,
  fetchPass,
  fetchRuleSet,
} from '@service/sdk/chain';
import { endPasses, issueCredential, newWitness, setVerifier } from '@service/server/test-service';
import { expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { nodeWith } from '../support/node.ts';
import { leavePasses } from './support/leave-passes.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const chain = () => ({
  deployment: market.deployment,
  rpc: market.world.net.rpc,
  clock: market.clock(),
});

test('the reads return records as they are on chain, and null for missing ones', async () => {
  const { issuer, mint, rule, world } = market;
  const wallet = issuer.signer.address;
  const binding = { mint, rule, issuer: wallet, requireSource: true };
  expect(await fetchBinding({ ...chain(), mint })).toMatchObject(binding);
  expect(await fetchBinding({ ...chain(), mint: rule })).toBeNull();
  expect(await fetchCredential({ ...chain(), wallet })).toMatchObject({ wallet, revoked: false });
  expect(await fetchCredential({ ...chain(), wallet: world.keys.payer.address })).toBeNull();
});

test('the holders of a rule set are the wallets with a pass for it, each once, with its end', async () => {
  const { issuer, holder, rule, world } = market;
  const wallets = [issuer.signer.address, holder.signer.address].sort();
  const { passes, slot, chainTime } = await fetchHolders({ ...chain(), rule });
  expect(passes.map(({ wallet }) => wallet)).toEqual(wallets);
  expect(passes).toEqual(await Promise.all(wallets.map((wallet) => fetchPass({ ...chain(), rule, wallet }))));
  expect(passes.every(({ expiresAt, secondsLeft }) => secondsLeft === expiresAt - chainTime)).toBe(true);
  expect(slot).toBeGreaterThan(0n);
  expect((await fetchHolders({ ...chain(), rule: market.mint })).passes).toEqual([]);

  const { program } = market.deployment;
  const other = await world.rpc.getProgramAccounts(program, { encoding: 'base64' }).send();
  const lies = {
    'a pass twice': (value: unknown[]) => [...value, value[0]],
    'another account': (value: unknown[]) => [
      ...value,
      other.find((each) => !passes.some(({ address }) => address === each.pubkey)),
    ],
  };
  for (const lie of Object.values(lies)) {
    const rpc = nodeWith(world.net, {
      getProgramAccounts: (answer: { value: unknown[] }) => ({ ...answer, value: lie(answer.value) }),
    });
    await expectRefusal(fetchHolders({ ...chain(), rpc, rule }), 'RPC_ERROR');
  }
});

test('anyone can close a pass once it has expired and could be renewed, and the holder gets its rent', async () => {
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
  // It uses the chain's time, which differs from this machine's.
  expect(Number(await secondsLeft())).toBeCloseTo(1_000, -2);
  // It has expired, but closing it would circumvent the limit of renewals.
  reach(pass!.expiresAt + 10n);
  await expect(closePass(issuer.signer, asked)).rejects.toMatchObject(live);

  expect(await secondsLeft()).toBe(0n);

  reach(renewableAt);
  const lamports = async () => (await world.rpc.getBalance(wallet).send()).value;
  const [before, rent] = [await lamports(), (await world.rpc.getBalance(pass!.address).send()).value];
  // The wallet signs only transactions, no messages.
  const { address, signTransactions } = issuer.signer;
  await market.live(() => closePass({ address, signTransactions }, asked));
  expect(await fetchPass({ ...chain(), rule, wallet })).toBeNull();
  expect(await lamports()).toBe(before + rent);
  await expectRefusal(closePass(issuer.signer, asked), 'ACCOUNT_NOT_FOUND');
});

test('when governance ends all passes, they have no time left, and let no transfer through', async () => {
  const { issuer, mint, source, rule, world } = market;
  const { signer, client, witness } = await market.party();
  await market.live(() => client.prove(signer, { rule, witness }));
  const destination = await market.tokenAccount(signer.address);
  const transfer = { mint, source, destination, amount: 1n };
  const check = () => market.newClient().checkTransfer(transfer, { wallet: issuer.signer.address });
  const asked = { ...chain(), rule };
  expect(await fetchPass({ ...asked, wallet: signer.address })).toMatchObject({ ended: false });

  await endPasses(world);
  world.net.setTime(world.net.time + 1);
  world.net.advanceSlots(1);
  await world.finalize();

  const codes = ['DESTINATION_PASS_EXPIRED', 'SOURCE_PASS_EXPIRED'];
  expect(await check()).toMatchObject({ ok: false, reasons: codes.map((code) => ({ code })) });
  const ended = { ended: true, secondsLeft: 0n };
  expect(await fetchPass({ ...asked, wallet: signer.address })).toMatchObject(ended);
  await market.live(() => closePass(signer, asked));
});

test('a wallet discards its credential and ends its passes, and can be verified again', async () => {
  const { issuer, rule, world } = market;
  const { signer, client, witness } = await market.party();
  await market.live(() => client.prove(signer, { rule, witness }));
  const { address, signTransactions } = signer;
  const asked = { ...chain(), wallet: address };
  // A rule set that the wallet has no pass for does no harm.
  const other = (await issuer.client.passport()).bindings[0]!.mint;
  await market.live(() =>
    discardCredential({ address, signTransactions }, { ...chain(), rules: [rule, other] }),
  );
  expect(await fetchPass({ ...asked, rule })).toMatchObject({ secondsLeft: 0n });
  expect(await fetchCredential(asked)).toMatchObject({ revoked: true, commitment: '0'.repeat(64) });
  await issueCredential(world, { wallet: address, witness: newWitness(), secondsAhead: 1n });
  expect(await fetchCredential(asked)).toMatchObject({ revoked: false });
});

test('discarding needs a credential and valid addresses', async () => {
  const { payer } = market.world.keys;
  await expectRefusal(discardCredential(payer, chain()), 'ACCOUNT_NOT_FOUND');
  for (const rules of [['x'], 'rules', Array(21).fill(market.rule)] as never[]) {
    await expectRefusal(discardCredential(payer, { ...chain(), rules }), 'INVALID_ARGUMENT');
  }
});

test('a pass ends at once when its verifier is switched off, by default one’s own, and is closed after an hour', async () => {
  const { rule, world } = market;
  const { signer, client, witness } = await market.party();
  await market.live(() => client.prove(signer, { rule, witness }));
  const asked = { ...chain(), rule };
  await expectRefusal(closePass(signer, asked), 'PASS_LIVE');
  await leavePasses(market, [signer.address, market.issuer.signer.address]);
  await setVerifier(world, false);
  const { signature } = await market.live(() => closePass(signer, asked));
  expect(signature).toMatch(/^\w{64,88}$/);
  const pass = await fetchPass({ ...asked, wallet: signer.address });
  expect(pass).toMatchObject({ secondsLeft: 0n });
  const closableAt = pass!.issuedAt + 3_600n;
  await expect(closePass(signer, asked)).rejects.toMatchObject({
    code: 'PASS_LIVE',
    context: { closableAt },
  });
  market.setTime(closableAt);
  await market.live(() => closePass(signer, asked));
  expect(await fetchPass({ ...asked, wallet: signer.address })).toBeNull();
});
