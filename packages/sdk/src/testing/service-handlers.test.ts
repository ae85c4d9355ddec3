/** A dApp's unit test: whole writes through msw, with no server and no chain. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fundRuleSet } from '../chain/index.ts';
import {
  artifactsFrom,
  disposeProver,
  isStatusCode,
  ServiceClient,
  type StatusCode,
  tokenAccountOf,
} from '../index.ts';
import {
  hostileHandlers,
  type ServiceHandlers,
  serviceHandlers,
  testCredential,
  testWallet,
} from './index.ts';

const server = setupServer();
let service: ServiceHandlers;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

it('goes from sign-in to a transfer', async () => {
  const [issuer, holder, other] = await Promise.all(['issuer', 'holder', 'other'].map(testWallet));
  const mint = (await testWallet('mint')).address;
  const accounts = await Promise.all(
    [holder!, other!].map(async ({ address: owner }) => ({
      address: await tokenAccountOf({ mint, owner }),
      mint,
      owner,
      amount: 0n,
    })),
  );
  service = await serviceHandlers({
    credentials: [other!.address],
    mints: [{ mint, issuer: issuer!.address }],
    tokenAccounts: accounts,
  });
  server.use(...service.handlers);
  const { deployment } = service;
  const clientOf = async (wallet: typeof issuer) => {
    const client = new ServiceClient({ deployment });
    await client.authenticate(wallet!, deployment.genesisHash);
    return client;
  };
  const issuing = await clientOf(issuer);
  const { rule } = await issuing.createRuleSet(issuer!, {
    name: 'EU professionals',
    clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  await issuing.bindMint(issuer!, { mint, rule, requireSource: true });

  const holding = await clientOf(holder);
  expect((await holding.passport()).credential).toBeNull();
  const { url } = await holding.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  expect(new URL(url).origin).toBe(deployment.verifierOrigins[0]);
  const { credential } = await testCredential(holder!.address);
  expect(await holding.waitForCredential()).toEqual(credential);
  const { chainTime } = await holding.proofContext({ rule });
  const proof = new Uint8Array(256).fill(1);
  const { pass } = await holding.prove(holder!, { rule, expiresAt: chainTime + 3_600n, proof });
  expect(await holding.passport()).toMatchObject({
    passes: [{ address: pass }],
    ruleSets: [{ livePasses: 1n }],
  });

  await issuing.issue(issuer!, { mint, destination: accounts[0]!.address, amount: 1_000n });
  const transfer = { mint, source: accounts[0]!.address, destination: accounts[1]!.address, amount: 400n };
  await holding.transfer(holder!, transfer);
  expect(accounts.map(({ address }) => service.amountOf(address))).toEqual([600n, 400n]);
  await expect(holding.transfer(holder!, { ...transfer, amount: 601n })).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    context: { programError: { name: 'INSUFFICIENT_FUNDS' } },
  });
  const names: string[] = [];
  for await (const { name } of issuing.ruleSets()) names.push(name);
  expect(names).toEqual(['EU professionals']);
  expect((await issuing.config()).genesisHash).toBe(deployment.genesisHash);
  expect((await issuing.network()).verifiers).toHaveLength(1);
  await issuing.logout();
  expect(await issuing.session()).toBeNull();
});

it('lies in the same place when it is told to', async () => {
  server.use(...hostileHandlers('prepare-other-amount', service));
  const holder = await testWallet('holder');
  const client = new ServiceClient({ deployment: service.deployment });
  await client.authenticate(holder, service.deployment.genesisHash);
  const mint = (await testWallet('mint')).address;
  const [source, destination] = await Promise.all(
    [holder.address, (await testWallet('other')).address].map((owner) => tokenAccountOf({ mint, owner })),
  );
  await expect(
    client.transfer(holder, { mint, source: source!, destination: destination!, amount: 1n }),
  ).rejects.toMatchObject({ code: 'PREPARED_MISMATCH' });
});

it('takes a real proof with real artifacts, and sends no transaction of its own', async () => {
  const { digest, manifest, key } = await readArtifacts();
  const holder = await testWallet('holder');
  const proving = await serviceHandlers({
    baseUrl: 'https://proving.test',
    credentials: [holder.address],
    artifacts: artifactsFrom({ digest, files: artifactsDirectory }),
  });
  server.use(...proving.handlers);
  const { deployment } = proving;
  const client = new ServiceClient({ deployment });
  await client.authenticate(holder, deployment.genesisHash);
  const ruleSet = (statuses: StatusCode[]) => ({
    name: 'French adults',
    clauses: [{ regions: ['FR' as const], statuses, minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  const { witness } = await testCredential(holder.address);
  const { status } = witness;
  if (!isStatusCode(status)) throw new Error(status);
  const { rule } = await client.createRuleSet(holder, ruleSet([status]));
  const { pass } = await client.prove(holder, { rule, witness });
  expect(await client.passport()).toMatchObject({ passes: [{ address: pass, rule }] });

  const { rule: other } = await client.createRuleSet(holder, ruleSet(['retail']));
  await expect(client.prove(holder, { rule: other, witness })).rejects.toMatchObject({
    code: 'NOT_ELIGIBLE',
  });
  // At once, and not after the minutes that a lost transaction is waited for.
  await expect(fundRuleSet(holder, { deployment, rule, lamports: 1n })).rejects.toMatchObject({
    code: 'TRANSACTION_FAILED',
    context: { isFinal: true },
  });
  // The site serves them: the client above has taken them from memory, being of the same digest.
  const served = `${deployment.baseUrl}/artifacts/${digest}`;
  expect(await (await fetch(`${served}/manifest.json`)).json()).toEqual(manifest);
  const bytes = new Uint8Array(await (await fetch(`${served}/${manifest.files.key.name}`)).arrayBuffer());
  expect(bytes).toEqual(new Uint8Array(key));
  await disposeProver();
});
