/** `npm start -- --rpc-url`: the service and the sandbox verifier on a cluster that runs elsewhere. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackOptions, startStack } from '@service/development';
import { developmentKeys, Localnet } from '@service/localnet';
import { PROGRAM_FILE } from '@service/program';
import { disposeProver, ServiceClient } from '@service/sdk';
import { newTestPlace, type TestPlace } from '@service/server/test-database';
import { errorOf, SOL } from '@service/test-support';
import { fundedWallet, verifiedPerson } from '@service/testing';
import type { Address } from '@solana/kit';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freePort, killAll, ROOT, startChild } from './support/child-process.ts';
import { openRpcProxy, type RpcProxy } from './support/rpc-proxy.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const net = Localnet.start({ slotMs: 100, finalitySlots: 2, seed: 'remote' });
const folder = mkdtempSync(join(tmpdir(), 'remote-cluster-'));
const closed = await freePort();
const dataDirectory = join(folder, 'data');
const log = pino({ level: 'silent' });
const NO_METHOD = { error: { code: -32601, message: 'Method not found' } };
const INVALID_REQUEST = { error: { code: -32600, message: 'Invalid request' } };
let place: TestPlace;
let netUrl: string;
let proxy: RpcProxy;
let steps: string[] = [];
let stack: Stack | undefined;

async function start(changes: Partial<StackOptions> = {}): Promise<Stack> {
  steps = [];
  stack = await startStack({
    ...(changes.dataDirectory === undefined ? { database: place.options } : {}),
    ports: { site: 0, rpc: 0, verifier: 0 },
    rpcUrl: proxy.url,
    pollIntervalMs: 100,
    log,
    onStep: (line) => steps.push(line),
    ...changes,
  });
  return stack;
}

const kept = { dataDirectory };
const slot = () => new Promise((resolve) => setTimeout(resolve, 50));
/** The transactions that the cluster has had. */
const count = () => net.rpc.getTransactionCount({ commitment: 'processed' }).send();
const addressIn = (error: unknown) => /Send 2 SOL to (\w+),/.exec((error as Error).message)?.[1] as Address;

beforeAll(async () => {
  place = await newTestPlace();
  ({ url: netUrl } = await net.listen({ port: 0 }));
  proxy = await openRpcProxy(netUrl);
});
afterEach(async () => {
  await stack?.close();
  stack = undefined;
  proxy.answers.clear();
  net.resume();
});
afterAll(async () => {
  await disposeProver();
  await killAll();
  proxy.close();
  await net.stop();
  await place.drop();
  rmSync(folder, { recursive: true });
});

test.each([
  ['that does not exist', { rpcUrl: `http://127.0.0.1:${closed}` }, 'UNREACHABLE', 'connect ECONNREFUSED'],
  ['with another scheme', { rpcUrl: 'ws://127.0.0.1:1' }, 'INVALID_URL', 'Correct it.'],
  ['with a user name', { rpcUrl: 'http://me:secret@127.0.0.1:1' }, 'INVALID_URL', 'without a user name'],
])('a URL %s is rejected', async (_what, changes, code, message) => {
  const error = await errorOf(start(changes));
  expect(error).toMatchObject({ name: 'ClusterError', code, message: expect.stringContaining(message) });
  expect((error as Error).message).not.toContain('secret');
});

test('a site that is not an RPC, and mainnet, are rejected', async () => {
  const refused = {
    name: 'ClusterError',
    code: 'NOT_AN_RPC',
    message: expect.stringContaining('Correct --rpc-url.'),
  };
  proxy.answers.set('getGenesisHash', NO_METHOD);
  await expect(start()).rejects.toMatchObject(refused);
  proxy.answers.set('getGenesisHash', { result: '<html>' });
  await expect(start()).rejects.toMatchObject(refused);
  proxy.answers.set('getGenesisHash', { result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' });
  await expect(start(kept)).rejects.toMatchObject({ code: 'MAINNET' });
  expect(await count()).toBe(0n);
});

test.each([NO_METHOD, INVALID_REQUEST])(
  'without a faucet nothing is sent, and %o is NO_FAUCET',
  async (answer) => {
    proxy.answers.set('requestAirdrop', answer);
    const withoutFolder = { code: 'NO_FAUCET', message: expect.stringContaining('pass --data-dir DIR') };
    await expect(start()).rejects.toMatchObject(withoutFolder);
    expect(await count()).toBe(0n);
  },
);

test('a refusal of the faucet is FAUCET_REFUSED with its reason', async () => {
  proxy.answers.set('requestAirdrop', { error: { code: -32603, message: 'the faucet is dry' } });
  const refused = {
    code: 'FAUCET_REFUSED',
    message: expect.stringMatching(/gave no SOL: .*the faucet is dry/),
  };
  await expect(start()).rejects.toMatchObject(refused);
});

test('a program that costs more than the faucet gives is NOT_ENOUGH_SOL', async () => {
  const programFile = join(folder, 'large.so');
  const so = Buffer.concat([readFileSync(PROGRAM_FILE), Buffer.alloc(200_000)]);
  writeFileSync(programFile, so);
  writeFileSync(`${programFile}.sha256`, createHash('sha256').update(so).digest('hex'));
  const error = {
    name: 'ClusterError',
    code: 'NOT_ENOUGH_SOL',
    message: expect.stringMatching(/Send it [\d.]+ SOL/),
  };
  await expect(start({ programFile })).rejects.toMatchObject(error);
});

test('each start with the same folder continues: funds by hand, half a deployment, a faucet later', async () => {
  proxy.answers.set('requestAirdrop', NO_METHOD);
  const before = await count();
  const payer = await errorOf(start(kept));
  expect(payer).toMatchObject({ code: 'NO_FAUCET' });
  net.airdrop(addressIn(payer), 2n * SOL);

  proxy.disappearAfter(40);
  await expect(start(kept)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringMatching(/does not respond: .+\. Check that the cluster runs/),
  });
  proxy.disappearAfter(Number.POSITIVE_INFINITY);
  expect((await count()) - before).toBeGreaterThan(30n);

  const feePayer = await errorOf(start(kept));
  const [, transactions] = /deployed in (\d+) transactions/.exec(steps.join('\n'))!;
  // A write carries about 900 bytes. More than 30 have landed before.
  expect(Number(transactions)).toBeLessThan(readFileSync(PROGRAM_FILE).length / 900 - 30);
  expect(feePayer).toMatchObject({ code: 'NO_FAUCET' });
  expect(addressIn(feePayer)).not.toBe(addressIn(payer));

  proxy.answers.clear();
  const { deployment } = await start(kept);
  expect(steps.join('\n')).toContain(`program ${deployment.program} is already deployed`);
  expect(deployment).toMatchObject({ genesisHash: net.genesisHash, rpcUrl: proxy.url });
  // Anyone can make the keys of the local stack, so a remote cluster must not use them.
  const { address: publicKey } = (await developmentKeys()).program;
  expect(deployment.program).not.toBe(publicKey);
  const file = join(dataDirectory, 'remote-keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

const rules = {
  name: 'Adults in France',
  clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;

test('people use the stack; after a restart nothing is sent and everything is there', async () => {
  const first = await start(kept);
  const person = { region: 'FR', status: 'retail', birthDate: '1990-05-17' } as const;
  const { client, wallet, credential } = await verifiedPerson(first.deployment, person);
  const { rule } = await client.createRuleSet(wallet, rules);
  await first.close();

  const sent = await count();
  const { deployment } = await start(kept);
  expect(await count()).toBe(sent);
  expect(deployment.program).toBe(first.deployment.program);
  const again = new ServiceClient({ deployment });
  const names: string[] = [];
  for await (const { address, name } of again.ruleSets()) names.push(`${name} ${address}`);
  expect(names).toEqual([`${rules.name} ${rule}`]);
  await again.authenticate(wallet, deployment.genesisHash);
  expect((await again.passport()).credential).toEqual(credential);
  await fundedWallet(deployment);
});

test('while the cluster is gone the service is not ready; it continues when the cluster is back', async () => {
  const { deployment } = await start({ ...kept, rpcUrl: netUrl });
  const ready = async () => (await fetch(`${deployment.baseUrl}/api/health/ready`)).status;
  // Readiness is shared for a moment.
  while ((await ready()) !== 200) await slot();
  net.pause('unreachable');
  while ((await ready()) !== 503) await slot();
  net.resume();
  const client = new ServiceClient({ deployment });
  const wallet = await fundedWallet(deployment);
  await client.authenticate(wallet, deployment.genesisHash);
  await client.createRuleSet(wallet, { ...rules, name: 'After the outage' });
  while ((await ready()) !== 200) await slot();
});

test('a folder belongs to one cluster', async () => {
  const local = join(folder, 'local');
  await (await start({ rpcUrl: undefined, dataDirectory: local })).close();
  const { deployment } = await start({ rpcUrl: undefined, dataDirectory: local });
  await stack!.close();
  const wrongKind = (message: string) => ({
    name: 'DataFolderError',
    message: expect.stringContaining(message),
  });
  await expect(start({ dataDirectory: local })).rejects.toMatchObject(
    wrongKind('has a local chain. Start without --rpc-url'),
  );
  await expect(start({ ...kept, rpcUrl: undefined })).rejects.toMatchObject(
    wrongKind('belongs to a remote cluster. Start with its --rpc-url'),
  );
  proxy.answers.set('getGenesisHash', { result: deployment.genesisHash });
  await expect(start(kept)).rejects.toMatchObject({
    code: 'OTHER_CLUSTER',
    message: expect.stringContaining(`belongs to the cluster ${net.genesisHash}`),
  });
  proxy.answers.clear();
  const file = join(dataDirectory, 'remote-keys.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"payer"', '"other"'));
  const damaged = await errorOf(start(kept));
  expect(damaged).toMatchObject(wrongKind('is damaged. Restore it'));
  expect(readdirSync(dataDirectory)).not.toContain('chain.lock');
});

test('the command prints one line and exits with 1, or with 2 for wrong options', async () => {
  const run = async (...args: string[]) => {
    const child = startChild('packages/development/src/start.ts', { args, cwd: ROOT });
    return [await child.ended, child.stderr()];
  };
  const ports = ['--no-demo', '--site-port', '0', '--verifier-port', '0'];
  const [gone, both, scheme] = await Promise.all([
    run('--rpc-url', `http://127.0.0.1:${closed}`, ...ports),
    run('--rpc-url', proxy.url, '--slot-ms', '5'),
    run('--rpc-url', 'file:///etc', ...ports),
  ]);
  expect(gone).toEqual([
    1,
    expect.stringMatching(/^npm start failed: The RPC at http:\/\/127.0.0.1:\d+ does not respond: .*\n$/),
  ]);
  expect(both).toEqual([2, '--slot-ms is for the local chain. Leave it out, or leave out --rpc-url.\n']);
  expect(scheme).toEqual([2, expect.stringMatching(/^npm start failed: --rpc-url must be .*\n$/)]);
});
