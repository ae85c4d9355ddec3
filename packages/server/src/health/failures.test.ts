/** Tests readiness with real failures. When the cause ends, the service recovers without a restart. */
import { connect } from 'node:net';
import { createSandboxVerifier, type Listener } from '@service/development/sandbox-verifier';
import { openRpcGate, type RpcGate, ruleSetBody, type Visitor } from '@service/test-support/service';
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StillClock, startChain, type TestChain } from '../../test/support/chain-index/chain.ts';
import { failing } from '../../test/support/failing-dependency.ts';
import { type TestService, testService, WEBHOOK_SECRET } from '../../test/support/read-service.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';

let clock: StillClock;
let chain: TestChain;
let rpc: Awaited<ReturnType<TestChain['net']['listen']>>;
let gate: RpcGate;
let database: TestDatabase;
let verifier: Listener;
/** Starts without lamports. */
let feePayer: KeyPairSigner;
let service: TestService;
let site: string;
let visitor: Visitor;

beforeAll(async () => {
  clock = new StillClock();
  chain = await startChain({ clock });
  rpc = await chain.net.listen({ port: 0 });
  gate = await openRpcGate(rpc.url);
  database = await openTestDatabase();
  const log = pino({ level: 'silent' });
  const { verifier: authority } = chain.keys;
  verifier = await createSandboxVerifier({ authority, webhookSecret: WEBHOOK_SECRET, clock, log }).listen();
  feePayer = await generateKeyPairSigner();
  service = await testService(chain, {
    clock,
    database,
    feePayer,
    rpc: createSolanaRpc(gate.url),
    verifierUrl: verifier.url,
    origin: (port) => `http://127.0.0.1:${port}`,
  });
  site = (await service.listen({ port: 0 })).url;
  await service.start();
  await service.tick();
  visitor = await service.visitor();
});
afterEach(() => gate.letGo());
afterAll(async () => {
  await verifier.close();
  await service.close();
  await database.close();
  await gate.close();
  await chain.net.stop();
});

const OK = { status: 200, body: { status: 'ok' } };

async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as object };
}
const ready = (at = site) => ask(`${at}/api/health/ready`);

/** Returns the result of a connection to a loopback port. */
function knock(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

/** Finalizes what landed, and runs one step of all background work. */
async function advance(): Promise<void> {
  chain.net.finalize();
  await service.tick();
}

test('the RPC’s listener closes, then listens again', async () => {
  const origin = (port: number) => `http://127.0.0.1:${port}`;
  const other = await testService(chain, { clock, database, rpc: createSolanaRpc(rpc.url), origin });
  const { url } = await other.listen({ port: 0 });
  await other.start();
  expect(await ready(url)).toEqual(OK);

  await rpc.close();
  const port = Number(new URL(rpc.url).port);
  expect(await knock(port)).toBe('ECONNREFUSED');
  await expect(other.tick()).rejects.toThrow('fetch failed');
  expect(await ready(url)).toMatchObject(failing('chain', 'index'));
  expect(await ask(`${url}/api/health/live`)).toEqual(OK);
  expect(await ask(`${url}/api/network`)).toMatchObject({
    status: 503,
    body: { error: { code: 'UNAVAILABLE' } },
  });

  rpc = await chain.net.listen({ port });
  expect(await ready(url)).toEqual(OK);
  await other.tick();
  await other.close();
});

test('the RPC returns 503, then recovers', async () => {
  chain.net.pause('unavailable');
  expect(await ready()).toMatchObject(failing('chain', 'index'));
  chain.net.resume();
  expect(await ready()).toEqual(OK);
});

test('the index stops while the chain advances: readiness fails beyond the allowed lag, until the index catches up', async () => {
  for (const method of ['getSignaturesForAddress', 'getProgramAccounts']) gate.cut(method);
  const pass = async (seconds: number) => {
    clock.pass(seconds);
    // A slot gets its time when it begins. Make a slot final that began now.
    chain.net.advanceSlots(3);
    await expect(service.tick()).rejects.toThrow('fetch failed');
  };
  await pass(30);
  expect(await ready()).toEqual(OK);
  await pass(1);
  expect(await ready()).toMatchObject(failing('index'));
  expect(await ask(`${site}/api/rules`)).toMatchObject({
    status: 503,
    body: { error: { code: 'INDEX_STALE' } },
  });

  gate.letGo();
  await service.tick();
  expect(await ready()).toEqual(OK);
  expect((await ask(`${site}/api/rules`)).status).toBe(200);
});

test('no node accepts a signed operation for a minute; then one does', async () => {
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  const state = async () => (await visitor.operation(draft.body.operationId)).body.state;
  gate.cut('sendTransaction');
  expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
  await service.tick();
  clock.pass(60);
  await service.tick();
  expect([await state(), await ready()]).toEqual(['QUEUED', OK]);
  clock.pass(1);
  expect(await ready()).toMatchObject(failing('jobs'));

  gate.letGo();
  // The worker waits longer between attempts as the operation gets older.
  clock.pass(4);
  await service.tick();
  expect([await state(), await ready()]).toEqual(['SUBMITTED', OK]);
  clock.pass(4);
  await advance();
  expect(await state()).toBe('FINALIZED');
});

describe('the fee payer has no lamports', () => {
  const fund = () => chain.net.airdrop(feePayer.address, 100_000_000n);
  /** Moves all lamports of the fee payer to another account. */
  async function drain(): Promise<void> {
    const { value } = await chain.net.rpc.getBalance(feePayer.address, { commitment: 'processed' }).send();
    const { address: destination } = chain.keys.payer;
    const transfer = { source: feePayer, destination, amount: value - 5_000n };
    await chain.land([feePayer], [getTransferSolInstruction(transfer)]);
    await advance();
  }
  /** Makes three attempts: the first at once, the others when they are due. */
  async function attemptThrice(): Promise<void> {
    for (const seconds of [0, 1, 2]) {
      expect(await ready()).toEqual(OK);
      clock.pass(seconds);
      await service.tick();
    }
    expect(await ready()).toMatchObject(failing('jobs'));
  }
  /** Makes the next attempt and finalizes its transaction. */
  async function attemptAgain(): Promise<void> {
    clock.pass(60);
    await advance();
    await advance();
  }
  /** Verifies a person at the verifier, which reports it. Returns the link. */
  async function verify(who: Visitor): Promise<string> {
    const returnUrl = `${site}/`;
    const { body } = await who.post<{ url: string }>('/api/verification-sessions', { returnUrl });
    const form = new URLSearchParams({ region: 'JP', status: 'professional', birthDate: '1984-02-29' });
    expect((await fetch(body.url, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303);
    return body.url;
  }
  const passport = async (who: Visitor) => (await who.get('/api/passport')).body;

  test('neither a credential nor its revocation lands until the fee payer has lamports', async () => {
    const link = await verify(visitor);
    await attemptThrice();
    expect(await passport(visitor)).toMatchObject({ credential: null, verification: { state: 'ISSUING' } });
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(OK);
    expect(await passport(visitor)).toMatchObject({
      credential: { revoked: false },
      verification: { state: 'ISSUED' },
    });

    await drain();
    expect((await fetch(`${link}/revoke`, { method: 'POST' })).status).toBe(200);
    await attemptThrice();
    expect(await passport(visitor)).toMatchObject({ credential: { revoked: false } });
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(OK);
    expect(await passport(visitor)).toMatchObject({ credential: { revoked: true } });
  });

  test('a credential that the chain then rejects for good fails', async () => {
    const other = await service.visitor();
    await drain();
    await verify(other);
    await attemptThrice();
    await chain.setVerifier(false);
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(OK);
    expect(await passport(other)).toMatchObject({
      credential: null,
      verification: { state: 'FAILED', failure: expect.stringContaining('not active') },
    });
  });
});
