import { buildEligibilityContext, ServiceClient, type TransferRequest, tokenAccountOf } from '@service/sdk';
import { quickClock, testWallet } from '@service/testing';
import { hostileHandlers, type ServiceHandlers, serviceHandlers } from '@service/testing/msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

// The code under test. In your dApp, import your own code instead.
type Wallet = Awaited<ReturnType<typeof testWallet>>;

async function send(client: ServiceClient, wallet: Wallet, request: TransferRequest): Promise<string> {
  const verdict = await client.checkTransfer(request);
  if (!verdict.ok) return verdict.reasons.map(({ who, code }) => `${who}: ${code}`).join();
  await client.transfer(wallet, request);
  return 'sent';
}

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers()); // removes the service
afterAll(() => server.close());

/** Signs a wallet in. Each client is another visitor. */
async function visit({ deployment }: ServiceHandlers, wallet: Wallet): Promise<ServiceClient> {
  const client = new ServiceClient({ deployment, clock: quickClock() });
  await client.authenticate(wallet, deployment.genesisHash);
  return client;
}

/** Gets a pass for an hour. The service in memory verifies no proofs, so any 256 bytes work. */
async function takePass(client: ServiceClient, wallet: Wallet, rule: TransferRequest['mint']): Promise<void> {
  const { chainTime, credential, ruleSet } = await client.proofContext({ rule });
  const { expiresAt, asOf } = buildEligibilityContext(credential, ruleSet, chainTime + 3_600n);
  await client.prove(wallet, { rule, expiresAt, asOf, proof: new Uint8Array(256) });
}

it('sends only to holders of passes, and detects a service that tampers', async () => {
  const issuer = await testWallet('issuer');
  const holder = await testWallet('holder');
  const other = await testWallet('other');
  const mint = (await testWallet('mint')).address; // any address works
  const source = await tokenAccountOf({ mint, owner: holder.address });
  const destination = await tokenAccountOf({ mint, owner: other.address });
  const service = await serviceHandlers({
    credentials: [holder.address, other.address], // verified already
    mints: [{ mint, issuer: issuer.address }],
    tokenAccounts: [
      { address: source, mint, owner: holder.address, amount: 1_000n },
      { address: destination, mint, owner: other.address, amount: 0n },
    ],
  });
  server.use(...service.handlers);

  const issuing = await visit(service, issuer);
  const { rule } = await issuing.createRuleSet(issuer, {
    name: 'French professionals',
    clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  await issuing.bindMint(issuer, { mint, rule, requireSource: false });

  const client = await visit(service, holder);
  const request = { mint, source, destination, amount: 400n };
  expect(await send(client, holder, request)).toBe('recipient: DESTINATION_PASS_MISSING');
  await takePass(await visit(service, other), other, rule);
  expect(await send(client, holder, request)).toBe('sent');
  expect(service.amountOf(destination)).toBe(400n);

  server.use(...hostileHandlers('prepare-other-amount', service)); // the same service, but it tampers
  await expect(send(client, holder, request)).rejects.toMatchObject({ code: 'PREPARED_MISMATCH' });
  expect(service.amountOf(destination)).toBe(400n);
});
