/** The people of the load, each in a loop until the load ends. */

import {
  createMint,
  createTokenAccount,
  PASS_FEE,
  proveRuleSet,
  ruleSetBody,
  transferSol,
} from '@service/server/test-service';
import { fundedWallet } from '@service/test-support';
import type { Address } from '@solana/kit';
import type { Chain } from '../system/chain.ts';
import { pause } from '../wait.ts';
import { type Journal, noteSurprise } from './journal.ts';
import type { Service } from './send-request.ts';
import { deliverCredential, deliverRevocation, type Witness } from './verifier-client.ts';
import { WalletClient } from './wallet-client.ts';

const LAMPORTS = 1_000_000_000_000n;
const PASS_SECONDS = 20_000n;
/** Milliseconds between two looks for other holders. */
const WAIT_MS = 100;

/** What an actor needs. */
export interface Scene {
  readonly service: Service;
  readonly chain: Chain;
  readonly journal: Journal;
}

/** A bound mint, and the rule set of its passes. */
export interface Market {
  readonly issuer: WalletClient;
  readonly mint: Address;
  readonly rule: Address;
  readonly body: ReturnType<typeof ruleSetBody>;
}

/** A wallet with a pass and a token account. */
export interface Holder {
  readonly client: WalletClient;
  readonly account: Address;
}

/** Creates a wallet with SOL, and signs it in. */
export async function newClient({ service, chain, journal }: Scene): Promise<WalletClient> {
  return new WalletClient(service, await fundedWallet(chain.net, LAMPORTS), journal).signIn();
}

/** Creates a rule set and a mint, binds them, and pays for passes. */
export async function openMarket(scene: Scene): Promise<Market> {
  const { chain } = scene;
  const issuer = await newClient(scene);
  const body = ruleSetBody();
  const rule = (await untilFinalized(issuer, { path: '/api/rules', body })) as Address;
  await transferSol(chain, issuer.signer, { destination: rule, lamports: 1_000n * PASS_FEE });
  const mint = await createMint(chain, issuer.signer);
  await chain.finalize();
  const bind = { mint, rule, requireSource: true };
  await untilFinalized(issuer, { path: '/api/mint-bindings', body: bind });
  return { issuer, mint, rule, body };
}

/** A wallet whose credential the verifier has delivered. */
export interface VerifiedPerson {
  readonly client: WalletClient;
  readonly witness: Witness;
}

/** Verifies a new wallet. */
export async function verifyPerson(scene: Scene): Promise<VerifiedPerson> {
  const client = await newClient(scene);
  const sessionId = await startVerification(client);
  return { client, witness: await deliverCredential({ ...scene, wallet: client.address, sessionId }) };
}

/** Creates the token account of a verified wallet, and proves the rule set. */
export async function becomeHolder(scene: Scene, market: Market, person: VerifiedPerson): Promise<Holder> {
  const { chain, journal } = scene;
  const { mint, rule, body } = market;
  const { client, witness } = person;
  const account = await createTokenAccount(chain, client.signer, { mint, owner: client.address });
  journal.tokenAccounts.push(account);
  const expiresAt = BigInt(chain.net.time) + PASS_SECONDS;
  const proof = await proveRuleSet({ rule, wallet: client.address, witness, body, expiresAt });
  // The service rejects it until the credential is on chain and in the index.
  await untilFinalized(client, { path: '/api/proofs', body: { rule, expiresAt: `${expiresAt}`, proof } });
  return { client, account };
}

/** Issues tokens, again and again, as soon as there are holders. */
export async function issueTokens(
  { service }: Scene,
  market: Market,
  holders: readonly Holder[],
): Promise<void> {
  const { random, signal } = service;
  while (!signal.aborted) {
    if (holders.length === 0) {
      await pause(WAIT_MS, signal);
      continue;
    }
    const { account } = random.pick(holders);
    const amount = BigInt(random.between(1, 1_000));
    const body = { mint: market.mint, destination: account, amount: `${amount}` };
    await market.issuer.run({ path: '/api/mints/issue', body, move: { from: null, to: account, amount } });
    await pause(random.between(0, 400), signal);
  }
}

/** Transfers tokens to other holders, again and again. One in five is more than the holder has, and fails on chain. */
export async function transferTokens(
  { service }: Scene,
  { mint }: Market,
  own: Holder,
  holders: readonly Holder[],
): Promise<void> {
  const { random, signal } = service;
  while (!signal.aborted) {
    const others = holders.filter((other) => other !== own);
    if (others.length === 0) {
      await pause(WAIT_MS, signal);
      continue;
    }
    const { account: to } = random.pick(others);
    const amount = random.next() < 0.2 ? 1_000_000_000n : BigInt(random.between(1, 50));
    const body = { mint, source: own.account, destination: to, amount: `${amount}` };
    await own.client.run({ path: '/api/transfers', body, move: { from: own.account, to, amount } });
    await pause(random.between(0, 400), signal);
  }
}

/** Creates rule sets, again and again. Some are prepared twice: the second one fails on chain, because the first exists. */
export async function createRuleSets(scene: Scene): Promise<void> {
  const { random, signal } = scene.service;
  const client = await newClient(scene);
  while (!signal.aborted) {
    const request = { path: '/api/rules', body: ruleSetBody() } as const;
    const drafts = [await client.prepare(request)];
    if (random.next() < 0.25) drafts.push(await client.prepare(request));
    for (const draft of drafts) if (draft) await client.submit(draft, {});
    await pause(random.between(0, 800), signal);
  }
}

/** Verifies new people, again and again, and revokes a half of their credentials, some before they are on chain. */
export async function verifyPeople(scene: Scene): Promise<void> {
  const { random, signal } = scene.service;
  while (!signal.aborted) {
    const client = await newClient(scene);
    const delivery = { ...scene, wallet: client.address, sessionId: await startVerification(client) };
    await deliverCredential(delivery);
    if (random.next() < 0.5) {
      await pause(random.between(0, 3_000), signal);
      await deliverRevocation(delivery);
    }
    await pause(random.between(0, 1_000), signal);
  }
}

async function startVerification(client: WalletClient): Promise<string> {
  for (;;) {
    const body = { returnUrl: 'https://site.example/verified' };
    const reply = await client.post<{ sessionId: string }>('/api/verification-sessions', body);
    if (reply.status === 200) return reply.body.sessionId;
    noteSurprise(client.journal, `/api/verification-sessions ${reply.status} ${reply.code}`);
    await pause(500, client.service.signal);
  }
}

/** Repeats an operation with new drafts until one is finalized. Returns the rule set that it created. */
async function untilFinalized(
  client: WalletClient,
  request: Parameters<WalletClient['run']>[0],
): Promise<string> {
  for (;;) {
    const operation = await client.run(request);
    if (operation?.state === 'FINALIZED') return operation.rule;
    await pause(300, client.service.signal);
  }
}
