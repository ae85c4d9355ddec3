/** How often each call of a client asks the caller's own RPC. Public nodes limit that, and a phone waits for each answer. */
import type { ServiceClient } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { createMint } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type Counts, countedCalls, totalOf } from './support/counted-calls.ts';
import { type Market, useMarket } from './support/market.ts';

const market = useMarket();

/** Returns a client of a party that has just signed in, and the counts of what it calls from then on. */
async function counting({ signer }: Market['issuer']) {
  const calls = countedCalls(market.world.net, market.request);
  const client = market.newClient({ rpc: calls.rpc, fetch: calls.fetch });
  await client.authenticate(signer, market.deployment.genesisHash);
  const signIn = calls.taken();
  return { client, signer, calls, signIn };
}

/** Runs a call of a client that has just signed in, and returns how often it asked the RPC, by method. */
async function callsOf(
  party: Market['issuer'],
  call: (client: ServiceClient, signer: Market['issuer']['signer']) => Promise<unknown>,
): Promise<Counts> {
  const { client, signer, calls } = await counting(party);
  await market.live(() => call(client, signer));
  return calls.taken().rpcCalls;
}

let newcomer: Market['issuer'];
beforeAll(async () => {
  newcomer = await market.party();
});

test('signing in asks once for the cluster and the height', async () => {
  const { signIn, client, signer, calls } = await counting(market.issuer);
  expect(signIn.rpcCalls).toEqual({ getGenesisHash: 1, getLatestBlockhash: 1 });
  // A cluster keeps its genesis hash, and the height bounds later ones.
  await client.authenticate(signer, market.deployment.genesisHash);
  expect(calls.taken().rpcCalls).toEqual({});
});

test('a write asks for each fact once', async () => {
  const { mint, rule, source, destination } = market;
  const made = await createMint(market.world, market.world.keys.payer, {
    issuer: market.issuer.signer.address,
  });
  await market.world.finalize();
  const writes = {
    createRuleSet: await callsOf(market.issuer, (client, signer) =>
      client.createRuleSet(signer, market.adults),
    ),
    bindMint: await callsOf(market.issuer, (client, signer) =>
      client.bindMint(signer, { mint: made, rule, requireSource: true }),
    ),
    prove: await callsOf(newcomer, (client, signer) =>
      client.prove(signer, { rule, witness: newcomer.witness }),
    ),
    issue: await callsOf(market.issuer, (client, signer) =>
      client.issue(signer, { mint, destination: source, amount: 10n }),
    ),
    transfer: await callsOf(market.issuer, (client, signer) =>
      client.transfer(signer, { mint, source, destination, amount: 5n }),
    ),
  };
  // The blockhash counts twice: before the wallet is asked, and before its answer is sent.
  const sending = { isBlockhashValid: 2, getTransaction: 1 };
  expect(writes).toEqual({
    createRuleSet: { ...sending, getMultipleAccounts: 1 },
    bindMint: { ...sending, getMultipleAccounts: 1 },
    prove: { ...sending, getMultipleAccounts: 4 },
    issue: { ...sending, getMultipleAccounts: 2 },
    transfer: { ...sending, getMultipleAccounts: 2 },
  });
  expect(totalOf(writes.prove)).toBeLessThanOrEqual(10);
  expect(totalOf(writes.transfer)).toBeLessThanOrEqual(5);
});

test('an act of an issuer or a creator asks for each fact once', async () => {
  const { issuer, holder, live, deployment, clock } = market;
  const { client: desk, signer } = issuer;
  const { rule } = await live(() =>
    desk.createRuleSet(signer, { ...market.adults, name: 'With powers', powers: ['suspend', 'grant'] }),
  );
  const chain = { deployment, rpc: market.world.net.rpc, clock: clock() };
  await live(() => fundRuleSet(signer, { ...chain, rule, lamports: 10_000_000n }));
  const { mint } = await live(() => createBindableMint(signer, { ...chain, template: 'security' }));
  await live(() => desk.bindMint(signer, { mint, rule, requireSource: false, honoursGranted: true }));
  const [lost, found] = [holder.signer.address, newcomer.signer.address];
  const expiresAt = BigInt(market.world.net.time) + 80_000n;
  const tokenAccount = async (owner: Address) =>
    (await live(() => createTokenAccount(signer, { ...chain, mint, owner }))).tokenAccount;
  const [source, destination] = [await tokenAccount(lost), await tokenAccount(found)];
  await live(() => desk.grant(signer, { rule, holder: lost, expiresAt }));
  const grant = await callsOf(issuer, (client) => client.grant(signer, { rule, holder: found, expiresAt }));
  await live(() => desk.issue(signer, { mint, destination: source, amount: 10n }));
  const acts = {
    grant,
    recover: await callsOf(issuer, (client) =>
      client.recover(signer, { mint, source, destination, amount: 4n, reason: 'lost-key' }),
    ),
    redeem: await callsOf(issuer, (client) =>
      client.redeem(signer, { mint, source, amount: 4n, reason: 'redemption' }),
    ),
    suspend: await callsOf(issuer, (client) =>
      client.suspend(signer, { rule, holder: found, until: expiresAt }),
    ),
  };
  // The accounts of the transaction with the funds, and those of the check with the newest time.
  const acting = { isBlockhashValid: 2, getTransaction: 1, getMultipleAccounts: 2, getAccountInfo: 1 };
  expect(acts).toEqual({
    grant: acting,
    // Also the destination for the transaction, and the pass and the credential of its owner.
    recover: { ...acting, getMultipleAccounts: 4 },
    redeem: acting,
    suspend: acting,
  });
});

test('a check before a write asks for the accounts once at each commitment', async () => {
  const { mint, source, destination, rule } = market;
  const checks = {
    checkProof: await callsOf(newcomer, (client) => client.checkProof({ rule, witness: newcomer.witness })),
    checkTransfer: await callsOf(market.issuer, (client) =>
      client.checkTransfer({ mint, source, destination, amount: 5n }),
    ),
    proofContext: await callsOf(newcomer, (client) => client.proofContext({ rule })),
  };
  expect(checks).toEqual({
    // The records, then the verifier that the credential names, and the newest time with the newest balance.
    checkProof: { getMultipleAccounts: 3 },
    // The accounts, then the passes of their owners, and the newest time with the newest balance.
    checkTransfer: { getMultipleAccounts: 3 },
    proofContext: { getMultipleAccounts: 1 },
  });
});
