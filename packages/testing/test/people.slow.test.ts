/** Creates people at a running development stack, as the tests of a dApp do. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Stack, startStack } from '@service/development';
import { type Deployment, disposeProver, ServiceClient } from '@service/sdk';
import { fetchCredential } from '@service/sdk/chain';
import { newTestPlace, type TestPlace } from '@service/server/test-database';
import { failHostedPage, passHostedPage } from '@service/test-support';
import { fundedWallet, registerDevelopmentWallet, verifiedPerson } from '@service/testing';
import { type Address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { setupServer } from 'msw/node';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let place: TestPlace;
let stack: Stack;
let deployment: Deployment;

beforeAll(async () => {
  place = await newTestPlace();
  stack = await startStack({
    database: place.options,
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 60,
    finalitySlots: 8,
    pollIntervalMs: 100,
    log: pino({ level: 'error' }),
  });
  deployment = stack.deployment;
});
afterAll(async () => {
  await stack?.close();
  await disposeProver();
  await place?.drop();
});

async function finalizedBalance(wallet: Address) {
  const rpc = createSolanaRpc(deployment.rpcUrl);
  return (await rpc.getBalance(wallet, { commitment: 'finalized' }).send()).value;
}

/** Listens on loopback while a function runs. */
async function whileListening<T>(listener: RequestListener, run: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Runs a function with an RPC that forwards to the cluster's, except for one method. */
function rpcWith(
  method: string,
  answer: () => object,
  run: (other: Deployment, called: readonly string[]) => Promise<void>,
) {
  const called: string[] = [];
  const listener: RequestListener = async (request, response) => {
    const body = await text(request);
    const payload = JSON.parse(body) as { id: unknown; method: string };
    called.push(payload.method);
    const headers = { 'content-type': 'application/json' };
    const forward = async () => (await fetch(deployment.rpcUrl, { method: 'POST', body, headers })).text();
    const own = () => JSON.stringify({ jsonrpc: '2.0', id: payload.id, ...answer() });
    response.writeHead(200, headers).end(payload.method === method ? own() : await forward());
  };
  return whileListening(listener, (rpcUrl) => run({ ...deployment, rpcUrl }, called));
}

describe('verifiedPerson', () => {
  it('is signed in, funded, and holds the witness of the credential on chain', async () => {
    const attributes = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' } as const;
    const options = { ...attributes, lamports: 50_000_000n };
    const { client, wallet, witness, credential } = await verifiedPerson(deployment, options);
    expect(await client.session()).toBe(wallet.address);
    expect(await finalizedBalance(wallet.address)).toBe(50_000_000n);
    expect(witness).toMatchObject({ ...attributes, wallet: wallet.address });
    expect(await fetchCredential({ deployment, wallet: wallet.address })).toEqual(credential);

    const { rule } = await client.createRuleSet(wallet, {
      name: 'Swiss investors',
      clauses: [{ regions: ['CH'], statuses: ['accredited'], minAge: 18 }],
      maxPassAgeSeconds: 86_400n,
    });
    // Only the fee is missing, so the witness matches the commitment.
    const verdict = await client.checkProof({ rule, witness });
    expect(verdict).toMatchObject({ ok: false, reasons: [{ code: 'PASS_FEE_UNFUNDED' }] });
  });

  it('verifies a wallet that exists already', async () => {
    const existing = await fundedWallet(deployment, { lamports: 20_000_000n });
    const options = { wallet: existing, lamports: 30_000_000n };
    const { client, wallet, witness } = await verifiedPerson(deployment, options);
    expect(wallet).toBe(existing);
    expect(witness.wallet).toBe(existing.address);
    expect(await client.session()).toBe(existing.address);
    expect(await finalizedBalance(existing.address)).toBe(50_000_000n);
  });

  it('is the person of the document, and a new person without one', async () => {
    const personWith = async (options = {}) => (await verifiedPerson(deployment, options)).witness.person;
    const first = await personWith({ document: 'P-1' });
    expect(await personWith({ document: 'P-1', region: 'DE' })).toBe(first);
    expect(new Set([first, await personWith(), await personWith()]).size).toBe(3);
  });

  it.each([
    ['region', { region: 'Narnia' }],
    ['status', { status: 'king' }],
    ['birthDate', { birthDate: '2990-01-01' }],
    ['lamports', { lamports: 0n }],
  ])('rejects an invalid %s and names it', async (field, options) => {
    const refusal = { code: 'INVALID_ARGUMENT', context: { field } };
    await expect(verifiedPerson(deployment, options as object)).rejects.toMatchObject(refusal);
  });

  it('rejects if its signal fires', async () => {
    const done = AbortSignal.abort();
    await expect(verifiedPerson(deployment, { signal: done })).rejects.toMatchObject({ code: 'ABORTED' });
    const slow = new AbortController();
    const noneYet = () => {
      slow.abort();
      return { result: { context: { slot: 1 }, value: [null] } };
    };
    await rpcWith('getSignatureStatuses', noneYet, async (other, called) => {
      await expect(fundedWallet(other, { signal: slow.signal })).rejects.toMatchObject({ code: 'ABORTED' });
      expect(called.at(-1)).toBe('getSignatureStatuses');
    });
  });

  it('rejects soon if the verifier is not the sandbox verifier', { timeout: 25_000 }, async () => {
    const { visitSandbox } = await import('../src/people/verified-person.ts');
    const form = { region: 'FR', status: 'professional', birthDate: '1990-05-17' } as const;
    const submitTo = (origin: string) => visitSandbox(`${origin}/verify/1`, form);
    const otherPage: RequestListener = (_request, response) => response.end('Upload your passport');
    const gone = await whileListening(otherPage, async (origin) => {
      await expect(submitTo(origin)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
      return origin;
    });
    await expect(submitTo(gone)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });

    // With msw, a copy of the answer stays open.
    const server = setupServer();
    server.listen({ onUnhandledRequest: 'bypass' });
    await whileListening(otherPage, async (origin) => {
      await expect(submitTo(origin)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    }).finally(() => server.close());
  });
});

it('waitForCredential throws after the sandbox verifier refused, until the person is verified', async () => {
  const client = new ServiceClient({ deployment });
  const wallet = await generateKeyPairSigner();
  await client.authenticate(wallet, deployment.genesisHash);
  const returnUrl = `${deployment.baseUrl}/verified`;
  const first = await client.startVerification({ returnUrl });
  expect(await failHostedPage(first.url)).toBe(returnUrl);
  const waiting = client.waitForCredential();
  await expect(waiting).rejects.toMatchObject({ code: 'VERIFICATION_FAILED', retryable: false });

  const second = await client.startVerification({ returnUrl });
  await passHostedPage(second.url, { region: 'FR', status: 'professional', birthDate: '1990-05-17' });
  expect(await client.waitForCredential()).toMatchObject({ wallet: wallet.address });
});

describe('fundedWallet', () => {
  it('resolves when the wallet has its SOL', async () => {
    const { address } = await fundedWallet(deployment);
    expect(await finalizedBalance(address)).toBe(1_000_000_000n);
  });

  it.each([
    ['does not exist', { error: { code: -32601, message: 'Method not found' } }],
    ['is an invalid request', { error: { code: -32600, message: 'Invalid request' } }],
  ])('rejects a cluster where requestAirdrop %s, before anybody signs in', async (_how, answer) => {
    await rpcWith(
      'requestAirdrop',
      () => answer,
      async (other, called) => {
        const refusal = { code: 'INVALID_ARGUMENT', context: { field: 'deployment.rpcUrl' } };
        await expect(fundedWallet(other)).rejects.toMatchObject(refusal);
        await expect(verifiedPerson(other)).rejects.toMatchObject(refusal);
        expect(new Set(called)).toEqual(new Set(['getGenesisHash', 'requestAirdrop']));
      },
    );
  });

  it('distinguishes an empty faucet from a missing one, and rejects another cluster first', async () => {
    const empty = () => ({ error: { code: -32603, message: 'faucet is empty' } });
    await rpcWith('requestAirdrop', empty, async (other) => {
      await expect(fundedWallet(other)).rejects.toMatchObject({ code: 'RPC_ERROR', retryable: true });
    });
    const onMainnet = () => ({ result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' });
    await rpcWith('getGenesisHash', onMainnet, async (other, called) => {
      await expect(fundedWallet(other)).rejects.toMatchObject({ code: 'GENESIS_HASH_MISMATCH' });
      expect(called).toEqual(['getGenesisHash']);
    });
  });
});

it('the development wallet requests SOL again and again', async () => {
  vi.stubGlobal('window', new EventTarget());
  try {
    const storage = { getItem: () => null, setItem: () => undefined };
    const { accounts, requestAirdrop } = await registerDevelopmentWallet({ deployment, storage });
    const { address } = accounts[1]!;
    for (const expected of [1_000n, 2_000n].map((each) => each * 1_000_000n)) {
      await requestAirdrop(address, 1_000_000_000n);
      expect(await finalizedBalance(address)).toBe(expected);
    }
  } finally {
    vi.unstubAllGlobals();
  }
});

it('does not need msw, which only its entry msw imports', async () => {
  const refuse = `export const resolve = (name, context, next) => {
    if (/^msw(\\/|$)/.test(name)) throw new Error('asked for ' + name);
    return next(name, context);
  };`;
  const script = `import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(refuse)}));
  const { verifiedPerson } = await import('@service/testing');
  console.log(typeof verifiedPerson, await import('@service/testing/msw').catch((error) => error.message));`;
  const flags = ['--import', 'tsx', '--input-type=module', '-e', script];
  const cwd = join(import.meta.dirname, '../../..');
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd });
  expect(stdout.trim()).toBe('function asked for msw');
});
