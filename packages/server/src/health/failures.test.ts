/** Tests readiness with real failures. When the cause ends, the service recovers without a restart. */
import { connect } from 'node:net';
import { openRpcGate, type RpcGate, ruleSetBody, type Visitor } from '@service/server/test-service';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestChain } from '../../test/support/chain.ts';
import { failing } from '../../test/support/failing-dependency.ts';
import { flowOnChain } from '../../test/support/verification/flow-on-chain.ts';

let rpc: Awaited<ReturnType<TestChain['net']['listen']>>;
let gate: RpcGate;
let visitor: Visitor;
/** Starts without lamports. */
const feePayer = await generateKeyPairSigner();
const on = flowOnChain({
  async options({ net }) {
    rpc = await net.listen({ port: 0 });
    gate = await openRpcGate(rpc.url);
    return { feePayer, rpc: createSolanaRpc(gate.url) };
  },
});
const { clock } = on;

beforeAll(async () => {
  await on.service.start();
  await on.service.tick();
  visitor = await on.service.visitor();
});
afterEach(() => gate.release());
afterAll(() => gate.close());

const LIVE = { status: 200, body: { status: 'ok' } };
const okBut = (...attention: string[]) => ({ status: 200, body: { status: 'ok', attention } });
/** The fee payer of this file starts without lamports. */
const OK = okBut('feePayer');
const refused = (code: string) => ({ status: 503, body: { error: { code } } });

async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as object };
}
const ready = (at = on.site) => ask(`${at}/api/health/ready`);

/** Returns the result of a connection to a loopback port. */
function knock(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

/** Finalizes what landed, and runs one step of all background work. */
async function advance(): Promise<void> {
  on.chain.net.finalize();
  await on.service.tick();
}

test('the RPC’s listener closes, then listens again', async () => {
  const other = await on.another({ rpc: createSolanaRpc(rpc.url) });
  const { url } = await other.listen({ port: 0 });
  await other.start();
  expect(await ready(url)).toEqual(okBut());

  await rpc.close();
  const port = Number(new URL(rpc.url).port);
  expect(await knock(port)).toBe('ECONNREFUSED');
  await expect(other.tick()).rejects.toThrow('fetch failed');
  expect(await ready(url)).toMatchObject(failing('chain', 'index'));
  expect(await ask(`${url}/api/health/live`)).toEqual(LIVE);
  expect(await ask(`${url}/api/network`)).toMatchObject(refused('UNAVAILABLE'));

  rpc = await on.chain.net.listen({ port });
  expect(await ready(url)).toEqual(okBut());
  await other.tick();
  await other.close();
});

test('the RPC returns 503, then recovers', async () => {
  on.chain.net.pause('unavailable');
  expect(await ready()).toMatchObject(failing('chain', 'index'));
  on.chain.net.resume();
  expect(await ready()).toEqual(OK);
});

test('the index stops while the chain advances: readiness fails beyond the allowed lag, until the index catches up', async () => {
  for (const method of ['getSignaturesForAddress', 'getProgramAccounts']) gate.cut(method);
  const pass = async (seconds: number) => {
    on.pass(seconds);
    await expect(on.service.tick()).rejects.toThrow('fetch failed');
  };
  await pass(30);
  expect(await ready()).toEqual(OK);
  await pass(1);
  expect(await ready()).toMatchObject(failing('index'));
  expect(await ask(`${on.site}/api/rules`)).toMatchObject(refused('INDEX_STALE'));

  gate.release();
  await on.service.tick();
  expect(await ready()).toEqual(OK);
  expect((await ask(`${on.site}/api/rules`)).status).toBe(200);
});

test('no node answers a broadcast: the process is unready after 5 seconds, until one does', async () => {
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  const state = async () => (await visitor.operation(draft.body.operationId)).body.state;
  gate.cut('sendTransaction');
  expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
  await on.service.tick();
  clock.pass(4);
  await on.service.tick();
  expect([await state(), await ready()]).toEqual(['QUEUED', OK]);
  clock.pass(1);
  await on.service.tick();
  expect([await state(), await ready()]).toMatchObject(['QUEUED', failing('jobs')]);

  gate.release();
  clock.pass(4);
  await on.service.tick();
  expect([await state(), await ready()]).toEqual(['SUBMITTED', OK]);
  clock.pass(4);
  await advance();
  expect(await state()).toBe('FINALIZED');
});

describe('the fee payer has no lamports', () => {
  const fund = () => on.chain.net.airdrop(feePayer.address, 100_000_000n);
  /** Moves all lamports of the fee payer to another account. */
  async function drain(): Promise<void> {
    const { value } = await on.chain.net.rpc.getBalance(feePayer.address, { commitment: 'processed' }).send();
    const { address: destination } = on.chain.keys.payer;
    const transfer = { source: feePayer, destination, amount: value - 5_000n };
    await on.chain.land([feePayer], [getTransferSolInstruction(transfer)]);
    await advance();
  }
  /** Makes three attempts: the first at once, the others when they are due. */
  async function attemptThrice(): Promise<void> {
    for (const seconds of [0, 1, 2]) {
      expect(await ready()).toEqual(okBut('feePayer'));
      clock.pass(seconds);
      await on.service.tick();
    }
    expect(await ready()).toEqual(okBut('credentials', 'feePayer'));
  }
  /** Makes the next attempt and finalizes its transaction. */
  async function attemptAgain(): Promise<void> {
    clock.pass(60);
    await advance();
    await advance();
  }
  /** Verifies a person at the verifier, which reports it. Returns the page of the check. */
  async function verify(who: Visitor): Promise<string> {
    return (await on.complete((await on.start(who)).body.url)).checkUrl;
  }
  const passport = async (who: Visitor) => (await who.get('/api/passport')).body;

  test('neither a credential nor its revocation lands until the fee payer has lamports', async () => {
    const link = await verify(visitor);
    await attemptThrice();
    expect(await passport(visitor)).toMatchObject({ credential: null, verification: { state: 'ISSUING' } });
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(okBut());
    const issued = { credential: { revoked: false }, verification: { state: 'ISSUED' } };
    expect(await passport(visitor)).toMatchObject(issued);

    await drain();
    await on.takeBack(link);
    await attemptThrice();
    expect(await passport(visitor)).toMatchObject({ credential: { revoked: false } });
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(okBut());
    expect(await passport(visitor)).toMatchObject({ credential: { revoked: true } });
  });

  test('a credential that the chain then rejects for good fails', async () => {
    const other = await on.service.visitor();
    await drain();
    await verify(other);
    await attemptThrice();
    await on.chain.setVerifier(false);
    fund();
    await attemptAgain();
    expect(await ready()).toEqual(okBut());
    const verification = { state: 'FAILED', failure: expect.stringContaining('not active') };
    expect(await passport(other)).toMatchObject({ credential: null, verification });
  });
});
