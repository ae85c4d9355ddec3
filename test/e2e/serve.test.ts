/** An operator's way: deploy by nothing but an RPC, start the server from what was written, stop and kill it, start it again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import { Localnet } from '@service/localnet';
import { type Deployment, parseDeployment, ServiceClient } from '@service/sdk';
import { type OpenDatabaseOptions, openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
import {
  type OperationJson,
  openRpcGate,
  type RpcGate,
  ruleSetBody,
  Visitor,
} from '@service/test-support/service';
import { createKeyPairSignerFromBytes, generateKeyPairSigner, type Signature } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Child, startChild } from './support/child-process.ts';

const SOL = 1_000_000_000n;
const folder = mkdtempSync(join(tmpdir(), 'serve-'));
const net = Localnet.start({ slotMs: 'manual', finalitySlots: 4 });
/** Slots pass while this is false: a blockhash must outlive a start that takes long. */
let isStill = false;
const slots = setInterval(() => isStill || net.advanceSlots(1), 25);
const children: Child[] = [];
let gate: RpcGate;
/** PGlite in a folder, or a database of its own where there is a PostgreSQL to test on. */
let place: { options: OpenDatabaseOptions; drop(): Promise<void> };
let deploymentFile: string;
let deployment: Deployment;
let baseUrl: string;

beforeAll(async () => {
  gate = await openRpcGate((await net.listen({ port: 0 })).url);
  const directory = join(folder, 'database');
  place = process.env.TEST_DATABASE_URL
    ? await newTestPlace()
    : { options: { directory }, drop: async () => undefined };
  const { url } = place.options;
  Object.assign(serverEnv, url ? { DATABASE_URL: url } : { DATA_DIRECTORY: directory });
  baseUrl = `http://localhost:${await freePort()}`;
});
afterEach(() => {
  isStill = false;
  gate.letGo();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  await place.drop();
  await gate.close();
  clearInterval(slots);
  await net.stop();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A key file as solana-keygen writes it; its key has these SOL. */
async function keyFile(name: string, lamports: bigint): Promise<string> {
  const key = nacl.sign.keyPair().secretKey;
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify([...key]));
  if (lamports > 0n) net.airdrop((await createKeyPairSignerFromBytes(key)).address, lamports);
  return file;
}

function start(file: string, env: Record<string, string>, args: readonly string[] = []): Child {
  const child = startChild(file, { env, args, cwd: folder });
  children.push(child);
  return child;
}

const serverEnv: Record<string, string> = {
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  POLL_INTERVAL_MS: '50',
};
async function serve(env: Record<string, string> = {}): Promise<Child> {
  serverEnv.DEPLOYMENT_FILE ??= deploymentFile;
  serverEnv.RPC_URL ??= gate.url;
  serverEnv.PORT ??= new URL(baseUrl).port;
  serverEnv.FEE_PAYER_FILE ??= await keyFile('fee-payer', SOL);
  const child = start('packages/server/src/main.ts', { ...serverEnv, ...env });
  await child.printed('"msg":"listening"');
  return child;
}

/** A wallet at the server's door, over HTTP, signed in. */
async function visitor(): Promise<Visitor> {
  const signer = await generateKeyPairSigner();
  net.airdrop(signer.address, SOL);
  const app = { request: (path: string, init: RequestInit) => fetch(`${baseUrl}${path}`, init) };
  return new Visitor(app as never, signer, baseUrl).signIn();
}

/** Waits for a few slots. */
const slot = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Asks for an operation until it is in this state; the test's own timeout is the bound. */
async function reaches(of: Visitor, { operationId }: OperationJson, state: string): Promise<OperationJson> {
  for (;;) {
    const { body } = await of.operation(operationId);
    if (body.state === state) return body;
    expect(['QUEUED', 'SUBMITTED'], JSON.stringify(body)).toContain(body.state);
    await slot();
  }
}

test('deploys by nothing but an RPC; again it finds all there and sends nothing', {
  timeout: 120_000,
}, async () => {
  const program = await keyFile('program', 0n);
  const verifier = await generateKeyPairSigner();
  const env = {
    RPC_URL: gate.url,
    PAYER_FILE: await keyFile('payer', SOL),
    VERIFIER_AUTHORITY: verifier.address,
    VERIFIER_URL: 'https://verifier.example/start',
    PASS_FEE_LAMPORTS: '50000',
  };
  const args = ['--program-keypair-file', program, '--base-url', baseUrl];
  const first = start('packages/deploy/src/main.ts', env, args);
  expect(await first.ended, first.stderr()).toBe(0);
  expect(first.stdout()).toMatch(/deployed in \d+ transactions\ngovernance initialized/);
  deploymentFile = join(folder, 'deployment.json');
  const written = readFileSync(deploymentFile, 'utf8');
  deployment = parseDeployment(JSON.parse(written));
  expect(deployment).toMatchObject({
    genesisHash: net.genesisHash,
    rpcUrl: gate.url,
    verifierOrigins: ['https://verifier.example'],
    baseUrl,
  });

  const sent = await net.rpc.getTransactionCount({ commitment: 'processed' }).send();
  const second = start('packages/deploy/src/main.ts', env, args);
  expect(await second.ended, second.stderr()).toBe(0);
  expect(second.stdout().match(/already/g)).toHaveLength(5);
  expect(readFileSync(deploymentFile, 'utf8')).toBe(written);

  const another = ['--program-keypair-file', await keyFile('another-program', 0n), '--base-url', baseUrl];
  const third = start('packages/deploy/src/main.ts', env, another);
  expect(await third.ended).toBe(1);
  expect(third.stderr()).toContain(`belongs to the program ${deployment.program}`);
  expect(readFileSync(deploymentFile, 'utf8')).toBe(written);
  expect(await net.rpc.getTransactionCount({ commitment: 'processed' }).send()).toBe(sent);
});

let served: Child;

test('the server starts from what was written, and the SDK signs in and makes a rule set', {
  timeout: 120_000,
}, async () => {
  served = await serve();
  const client = new ServiceClient({ deployment });
  const wallet = await generateKeyPairSigner();
  net.airdrop(wallet.address, SOL);
  await client.authenticate(wallet, deployment.genesisHash);
  const { rule } = await client.createRuleSet(wallet, {
    name: 'Adults in France',
    clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  const names: string[] = [];
  for await (const ruleSet of client.ruleSets()) names.push(`${ruleSet.name} ${ruleSet.address}`);
  expect(names).toEqual([`Adults in France ${rule}`]);
  // Each line of the log is JSON.
  for (const line of served.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(served.stderr()).toBe('');
});

let holder: Visitor;
let submitted: OperationJson;

test('SIGTERM: what is under way is answered, the step ends, leases are given back', {
  timeout: 120_000,
}, async () => {
  holder = await visitor();
  const other = await visitor();
  const prepared = await holder.prepare('/api/rules', ruleSetBody());
  isStill = true;
  const broadcasting = gate.hold('sendTransaction');
  const answer = await holder.signAndSubmit(prepared);
  expect(answer.body.state).toBe('QUEUED');
  submitted = answer.body;
  await broadcasting;
  const asking = gate.hold('getLatestBlockhash');
  const key = 'the-same-key-again';
  const body = ruleSetBody();
  const underWay = other.prepare('/api/rules', body, key);
  await asking;

  served.kill('SIGTERM');
  await served.printed('"msg":"closing"');
  await expect(fetch(`${baseUrl}/api/health/live`)).rejects.toThrow('fetch failed');
  gate.letGo('getLatestBlockhash');
  const answered = await underWay;
  expect(answered.status).toBe(200);
  // The worker's step is all that is left, and it is waited for.
  await slot();
  gate.letGo('sendTransaction');
  expect(await served.ended).toBe(0);
  expect(served.stdout()).toContain('"msg":"closed"');

  const database = await openDatabase(place.options);
  const rows = await database.db.selectFrom('operation').select(['id', 'state', 'lease_owner']).execute();
  await database.close();
  expect(rows.filter(({ lease_owner }) => lease_owner !== null)).toEqual([]);
  expect(rows).toContainEqual({ id: submitted.operationId, state: 'SUBMITTED', lease_owner: null });

  served = await serve({ POLL_INTERVAL_MS: '60000' });
  // The session, the draft under its key: all that was answered is there.
  expect((await other.prepare('/api/rules', body, key)).body.operationId).toBe(answered.body.operationId);
  expect((await holder.operation(submitted.operationId)).body.state).toMatch(/SUBMITTED|FINALIZED/);
});

test('SIGKILL: what was answered is there after it, and a submitted operation goes on', {
  timeout: 120_000,
}, async () => {
  const second = await visitor();
  isStill = true;
  const prepared = await second.prepare('/api/rules', ruleSetBody());
  // The worker's next step is a minute away: this is answered, and nobody has taken it up.
  const queued = await second.signAndSubmit(prepared);
  expect(queued.body.state).toBe('QUEUED');
  const asking = gate.hold('getLatestBlockhash');
  const third = await visitor();
  const [key, body] = ['killed-in-between', ruleSetBody()];
  const lost = third.prepare('/api/rules', body, key);
  await asking;
  served.kill('SIGKILL');
  await expect(lost).rejects.toThrow('fetch failed');
  expect(await served.ended).toBe('SIGKILL');
  gate.letGo();

  served = await serve();
  isStill = false;
  const final = await reaches(second, queued.body, 'FINALIZED');
  expect((await third.prepare('/api/rules', body, key)).status).toBe(200);
  const signatures = [final, submitted].map(({ signature }) => signature as Signature);
  const { value } = await net.rpc.getSignatureStatuses(signatures).send();
  expect(value.map((status) => status?.err)).toEqual([null, null]);
});

test('a second signal ends it at once', { timeout: 120_000 }, async () => {
  const late = await visitor();
  const asking = gate.hold('getLatestBlockhash');
  const underWay = late.prepare('/api/rules', ruleSetBody());
  await asking;
  served.kill('SIGTERM');
  await served.printed('"msg":"closing"');
  served.kill('SIGINT');
  await expect(underWay).rejects.toThrow('fetch failed');
  expect(await served.ended).toBe(1);
});

test('what the server does not start with is told in one line, and how it ends tells whose fault it is', {
  timeout: 120_000,
}, async () => {
  const written = JSON.parse(readFileSync(deploymentFile, 'utf8'));
  const changed = (name: string, changes: object) => {
    writeFileSync(join(folder, name), JSON.stringify({ ...written, ...changes }));
    return { DEPLOYMENT_FILE: join(folder, name) };
  };
  const otherCluster = { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' };
  const refused = async (env: Record<string, string>, code: number, line: string) => {
    const { DATA_DIRECTORY: _, ...others } = serverEnv;
    const child = start('packages/server/src/main.ts', {
      ...('DATABASE_URL' in env ? others : serverEnv),
      ...env,
    });
    expect(await child.ended, line).toBe(code);
    expect(child.stderr()).toBe(`${line}\n`);
  };
  const inOrder = async () => {
    // All have the database open.
    await refused(
      changed('other-cluster.json', otherCluster),
      2,
      `An RPC is of another cluster: its genesis hash is ${net.genesisHash}, the settings say ${otherCluster.genesisHash}.`,
    );
    const { address: program } = await generateKeyPairSigner();
    const cluster = `on the cluster of the genesis hash ${net.genesisHash}`;
    await refused(
      changed('other-program.json', { program }),
      2,
      `The database belongs to the program ${deployment.program} ${cluster}, the settings name the program ${program} ${cluster}: correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or name a database of its own in DATABASE_URL or DATA_DIRECTORY.`,
    );
    void gate.hold('getGenesisHash');
    await refused({ START_SECONDS: '1' }, 1, 'The RPC does not answer: nothing came within 1 s.');
  };
  const { artifactsDigest } = written;
  const other = '0'.repeat(64);
  const port = await freePort();
  await Promise.all([
    inOrder(),
    refused(
      changed('other-artifacts.json', { artifactsDigest: other }),
      2,
      `ARTIFACTS_DIRECTORY: ${artifactsDirectory} holds artifacts of the digest ${artifactsDigest}. Expected ${other}, which the deployment pins.`,
    ),
    refused(
      { DATABASE_URL: `postgres://me:SECRET@127.0.0.1:${port}/none` },
      1,
      `The database does not answer: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ),
  ]);
});
