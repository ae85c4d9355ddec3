/** The unit test of a dApp: whole writes through msw, without a server and a chain. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import type { CreatorPower } from '@service/contract';
import {
  artifactsFrom,
  buildEligibilityContext,
  disposeProver,
  ServiceClient,
  type StatusCode,
  tokenAccountOf,
} from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import type { Address, KeyPairSigner } from '@solana/kit';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quickClock, testCredential, testWallet } from '../index.ts';
import { hostileHandlers, type ServiceHandlers, serviceHandlers } from '../msw/index.ts';

const server = setupServer();
let service: ServiceHandlers;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const [issuer, holder, other] = (await Promise.all(['issuer', 'holder', 'other'].map(testWallet))) as [
  KeyPairSigner,
  KeyPairSigner,
  KeyPairSigner,
];
const mint = (await testWallet('mint')).address;
const mints = [{ mint, issuer: issuer.address }];

const rulesOf = (name: string, statuses: readonly StatusCode[] = ['professional']) => ({
  name,
  clauses: [{ regions: ['FR' as const], statuses, minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
});

async function emptyAccount(owner: Address) {
  return { address: await tokenAccountOf({ mint, owner }), mint, owner, amount: 0n };
}

/** Creates a client and signs the wallet in. */
async function clientOf(wallet: KeyPairSigner, { deployment }: ServiceHandlers) {
  const client = new ServiceClient({ deployment, clock: quickClock() });
  await client.authenticate(wallet, deployment.genesisHash);
  return client;
}

/** Gets a pass for an hour. The service in memory accepts any proof. */
async function takePass(client: ServiceClient, wallet: KeyPairSigner, rule: Address) {
  const { chainTime, credential, ruleSet } = await client.proofContext({ rule });
  const { expiresAt, asOf } = buildEligibilityContext(credential, ruleSet, chainTime + 3_600n);
  return client.prove(wallet, { rule, expiresAt, asOf, proof: new Uint8Array(256).fill(1) });
}

it('goes from sign-in to a transfer', async () => {
  const accounts = await Promise.all([emptyAccount(holder.address), emptyAccount(other.address)]);
  service = await serviceHandlers({ credentials: [other.address], mints, tokenAccounts: accounts });
  server.use(...service.handlers);
  const { deployment } = service;
  const issuing = await clientOf(issuer, service);
  const { rule } = await issuing.createRuleSet(issuer, rulesOf('EU professionals'));
  await issuing.bindMint(issuer, { mint, rule, requireSource: true });

  const holding = await clientOf(holder, service);
  expect((await holding.passport()).credential).toBeNull();
  const returnUrl = `${deployment.baseUrl}/verified`;
  const unknown = holding.startVerification({ returnUrl, verifier: 'Another one' });
  await expect(unknown).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const [verifier] = (await holding.config()).verifiers!;
  expect(await holding.startVerification({ returnUrl, verifier })).toMatchObject({ url: expect.any(String) });
  const { url } = await holding.startVerification({ returnUrl });
  expect(new URL(url).origin).toBe(deployment.verifierOrigins[0]);
  const { credential } = await testCredential(holder.address);
  expect(await holding.waitForCredential()).toEqual(credential);
  const { pass } = await takePass(holding, holder, rule);
  const passport = { passes: [{ address: pass }], ruleSets: [{ livePasses: 1n }] };
  expect(await holding.passport()).toMatchObject(passport);
  await takePass(await clientOf(other, service), other, rule);

  await issuing.issue(issuer, { mint, destination: accounts[0]!.address, amount: 1_000n });
  const transfer = { mint, source: accounts[0]!.address, destination: accounts[1]!.address, amount: 400n };
  await holding.transfer(holder, transfer);
  expect(accounts.map(({ address }) => service.amountOf(address))).toEqual([600n, 400n]);
  const names: string[] = [];
  for await (const { name } of issuing.ruleSets()) names.push(name);
  expect(names).toEqual(['EU professionals']);
  expect((await issuing.config()).genesisHash).toBe(deployment.genesisHash);
  expect((await issuing.network()).verifiers).toHaveLength(1);
  await issuing.logout();
  expect(await issuing.session()).toBeNull();
});

it('moves tokens where checkTransfer says that it passes, and nowhere else', async () => {
  const [source, destination, mutable] = (await Promise.all(
    ['source', 'destination', 'mutable'].map(async (name) => (await testWallet(name)).address),
  )) as [Address, Address, Address];
  const start = BigInt(Math.floor(Date.now() / 1000));
  let now = start;
  const ruled = await serviceHandlers({
    baseUrl: 'https://ruled.test',
    credentials: [holder.address, other.address],
    mints,
    tokenAccounts: [
      { address: source, mint, owner: holder.address, amount: 1_000n },
      { address: destination, mint, owner: other.address, amount: 0n },
      { address: mutable, mint, owner: other.address, amount: 0n, immutableOwner: false },
    ],
    now: () => now,
  });
  server.use(...ruled.handlers);
  const [issuing, holding, others] = (await Promise.all(
    [issuer, holder, other].map((wallet) => clientOf(wallet, ruled)),
  )) as [ServiceClient, ServiceClient, ServiceClient];
  const { rule } = await issuing.createRuleSet(issuer, rulesOf('French professionals'));
  await issuing.bindMint(issuer, { mint, rule, requireSource: true });

  const good = { mint, source, destination, amount: 10n };
  const onChain = (name: string) => ({ code: 'OPERATION_FAILED', context: { programError: { name } } });
  /** Checks that the client rejects a transfer for these reasons, and that the chain or the client stops it with this error. */
  const refused = async (
    request: typeof good,
    reasons: string[],
    error: object = onChain(reasons[0]!),
    by = holder,
  ) => {
    const client = by === holder ? holding : others;
    const verdict = await client.checkTransfer(request);
    expect(verdict).toMatchObject({ ok: false, reasons: reasons.map((code) => ({ code })) });
    await expect(client.transfer(by, request)).rejects.toMatchObject(error);
  };
  const tooHigh = (most: bigint) => ({ code: 'AMOUNT_TOO_HIGH', context: { most } });
  const passes = async () => {
    const before = ruled.amountOf(destination);
    expect(await holding.checkTransfer(good)).toMatchObject({ ok: true, rule });
    await holding.transfer(holder, good);
    expect(ruled.amountOf(destination)).toBe(before + good.amount);
  };
  const issued = { mint, destination, amount: 5n };

  await refused(good, ['DESTINATION_PASS_MISSING', 'SOURCE_PASS_MISSING']);
  await expect(issuing.issue(issuer, issued)).rejects.toMatchObject(onChain('DESTINATION_PASS_MISSING'));
  await takePass(others, other, rule);
  await refused(good, ['SOURCE_PASS_MISSING']);
  await issuing.issue(issuer, issued);
  now += 60n;
  await takePass(holding, holder, rule);
  await passes();
  await refused({ ...good, amount: 991n }, ['BALANCE_TOO_LOW'], tooHigh(990n));
  await refused(good, ['NOT_SOURCE_OWNER'], tooHigh(0n), other);
  await refused({ ...good, destination: mutable }, ['TOKEN_ACCOUNT_OWNER_MUTABLE']);
  const toMutable = issuing.issue(issuer, { ...issued, destination: mutable });
  await expect(toMutable).rejects.toMatchObject(onChain('TOKEN_ACCOUNT_OWNER_MUTABLE'));
  now = start + 3_599n;
  await passes();
  now += 1n; // The recipient's pass expires now, and the sender's in a minute.
  await refused(good, ['DESTINATION_PASS_EXPIRED']);
  await expect(issuing.issue(issuer, issued)).rejects.toMatchObject(onChain('DESTINATION_PASS_EXPIRED'));
  now += 60n;
  await refused(good, ['DESTINATION_PASS_EXPIRED', 'SOURCE_PASS_EXPIRED']);
  expect([ruled.amountOf(source), ruled.amountOf(destination)]).toEqual([980n, 25n]);
});

it('suspends, grants, recovers and redeems for an issuer, and refuses others', async () => {
  const [source, destination] = await Promise.all([
    emptyAccount(holder.address),
    emptyAccount(other.address),
  ]);
  const issued = await serviceHandlers({
    baseUrl: 'https://issued.test',
    credentials: [holder.address],
    mints: [{ mint, issuer: issuer.address, template: 'security' }],
    tokenAccounts: [source, destination],
  });
  server.use(...issued.handlers);
  const [issuing, holding] = [await clientOf(issuer, issued), await clientOf(holder, issued)];
  const powers: CreatorPower[] = ['suspend', 'grant'];
  const { rule } = await issuing.createRuleSet(issuer, { ...rulesOf('With powers'), powers });
  await issuing.bindMint(issuer, { mint, rule, requireSource: false, honoursGranted: true });
  const passOf = async () => (await holding.passport()).passes[0];

  const forever = { rule, holder: holder.address, until: 2n ** 64n - 1n };
  await expect(holding.suspend(holder, forever)).rejects.toMatchObject({ code: 'NOT_CREATOR' });
  await issuing.suspend(issuer, forever);
  expect(await passOf()).toMatchObject({ suspendedUntil: 2n ** 64n - 1n, granted: false });
  await issuing.suspend(issuer, { ...forever, until: 0n });
  expect(await passOf()).toBeUndefined();
  await expect(issuing.suspend(issuer, { ...forever, until: 0n })).rejects.toMatchObject({
    code: 'PASS_NOT_SUSPENDED',
  });

  const expiresAt = BigInt(Math.floor(Date.now() / 1000)) + 3_600n;
  const grants = [holder, other].map(({ address }) => ({ rule, holder: address, expiresAt }));
  for (const grant of grants) await issuing.grant(issuer, grant);
  expect(await passOf()).toMatchObject({ expiresAt, granted: true });
  await issuing.issue(issuer, { mint, destination: source.address, amount: 100n });
  const taken = { mint, source: source.address, amount: 40n, reason: 'lost-key' } as const;
  const recovered = { ...taken, destination: destination.address };
  await issuing.recover(issuer, recovered);
  await issuing.redeem(issuer, { ...taken, amount: 10n });
  const amounts = () => [source, destination].map(({ address }) => issued.amountOf(address));
  expect(amounts()).toEqual([50n, 40n]);

  await expect(holding.redeem(holder, taken)).rejects.toMatchObject({ code: 'NOT_ISSUER' });
  for (const grant of grants) await issuing.grant(issuer, { ...grant, expiresAt: 0n });
  expect(await passOf()).toBeUndefined();
  await expect(issuing.grant(issuer, { ...grants[0]!, expiresAt: 0n })).rejects.toMatchObject({
    code: 'PASS_NOT_GRANTED',
  });
  await expect(issuing.recover(issuer, recovered)).rejects.toMatchObject({
    context: { rule, wallet: other.address },
  });
  expect(amounts()).toEqual([50n, 40n]);
});

it('names the reason that the program finds first: suspended, expired, granted', async () => {
  const account = await emptyAccount(holder.address);
  let now = 1_800_000_000n;
  const timed = await serviceHandlers({
    baseUrl: 'https://timed.test',
    mints,
    tokenAccounts: [account],
    now: () => now,
  });
  server.use(...timed.handlers);
  const issuing = await clientOf(issuer, timed);
  const powers: CreatorPower[] = ['suspend', 'grant'];
  const { rule } = await issuing.createRuleSet(issuer, { ...rulesOf('With powers'), powers });
  await issuing.bindMint(issuer, { mint, rule, requireSource: false });
  const issue = () => issuing.issue(issuer, { mint, destination: account.address, amount: 1n });
  const failsWith = (name: string) =>
    expect(issue()).rejects.toMatchObject({ context: { programError: { name } } });
  await issuing.grant(issuer, { rule, holder: holder.address, expiresAt: now + 60n });
  await failsWith('DESTINATION_PASS_GRANTED');
  now += 60n;
  await failsWith('DESTINATION_PASS_EXPIRED');
  await issuing.suspend(issuer, { rule, holder: holder.address, until: now + 60n });
  await failsWith('DESTINATION_PASS_SUSPENDED');
});

it('gives each place of a person to one wallet, and another one replaces it an hour later', async () => {
  let now = 1_800_000_000n;
  const limited = await serviceHandlers({
    baseUrl: 'https://limited.test',
    credentials: [holder.address, { wallet: other.address, personOf: holder.address }],
    now: () => now,
  });
  server.use(...limited.handlers);
  const { verifier } = (await testCredential(holder.address)).credential;
  const issuing = await clientOf(issuer, limited);
  const terms = { ...rulesOf('One wallet'), verifier, walletsPerPerson: 1 };
  const { rule } = await issuing.createRuleSet(issuer, terms);
  const proof = new Uint8Array(289).fill(1, 0, 256);
  const prove = async (wallet: KeyPairSigner, change: object = {}) => {
    const client = await clientOf(wallet, limited);
    const { chainTime, credential, ruleSet } = await client.proofContext({ rule });
    const { expiresAt, asOf } = buildEligibilityContext(credential, ruleSet, chainTime + 3_600n);
    return client.prove(wallet, { rule, expiresAt, asOf, proof, ...change });
  };
  await expect(prove(holder, { proof: proof.slice(33) })).rejects.toMatchObject({
    code: 'PLACE_NOT_IN_RULE_SET',
  });
  await prove(holder);
  await expect(prove(other)).rejects.toMatchObject({ code: 'PLACE_TAKEN' });
  const replaces = holder.address;
  await expect(prove(other, { replaces })).rejects.toMatchObject({ code: 'PLACE_TAKEN_TOO_SOON' });
  now += 3_600n;
  await prove(other, { replaces });
  const passesOf = async (wallet: KeyPairSigner) =>
    (await (await clientOf(wallet, limited)).passport()).passes.length;
  expect([await passesOf(holder), await passesOf(other)]).toEqual([0, 1]);
});

it('has credentials of wallets of one person', async () => {
  const personOf = async (wallet: Address, of?: Address) =>
    (await testCredential(wallet, { personOf: of })).witness.person;
  const person = await personOf(holder.address);
  expect(await personOf(other.address)).not.toBe(person);
  expect(await personOf(other.address, holder.address)).toBe(person);
});

it('tampers if hostile handlers are in front of it', async () => {
  server.use(...hostileHandlers('prepare-other-amount', service));
  const client = await clientOf(holder, service);
  const [source, destination] = await Promise.all([
    tokenAccountOf({ mint, owner: holder.address }),
    tokenAccountOf({ mint, owner: other.address }),
  ]);
  const transferring = client.transfer(holder, { mint, source, destination, amount: 1n });
  await expect(transferring).rejects.toMatchObject({ code: 'PREPARED_MISMATCH' });
});

it('makes a real proof with real artifacts, and sends no transaction', async () => {
  const { digest, manifest, key } = await readArtifacts();
  const proving = await serviceHandlers({
    baseUrl: 'https://proving.test',
    credentials: [holder.address],
    artifacts: artifactsFrom({ digest, files: artifactsDirectory }),
  });
  server.use(...proving.handlers);
  const { deployment } = proving;
  const client = await clientOf(holder, proving);
  const { witness } = await testCredential(holder.address);
  const { rule } = await client.createRuleSet(holder, rulesOf('French adults'));
  const { pass } = await client.prove(holder, { rule, witness });
  expect(await client.passport()).toMatchObject({ passes: [{ address: pass, rule }] });

  const { rule: retail } = await client.createRuleSet(holder, rulesOf('French retail', ['retail']));
  const ineligible = client.prove(holder, { rule: retail, witness });
  await expect(ineligible).rejects.toMatchObject({ code: 'NOT_ELIGIBLE' });
  // It throws immediately, and does not wait for a transaction that never lands.
  const failure = { code: 'TRANSACTION_FAILED', context: { isFinal: true } };
  await expect(fundRuleSet(holder, { deployment, rule, lamports: 1n })).rejects.toMatchObject(failure);
  // The site serves the artifacts. The client above did not load them: it had artifacts with this digest.
  const served = `${deployment.baseUrl}/artifacts/${digest}`;
  expect(await (await fetch(`${served}/manifest.json`)).json()).toEqual(manifest);
  const bytes = new Uint8Array(await (await fetch(`${served}/${manifest.files.key.name}`)).arrayBuffer());
  expect(Buffer.compare(bytes, key)).toBe(0);
  await disposeProver();
});
