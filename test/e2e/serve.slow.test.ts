/** Does what an operator does: deploys through an RPC, starts the server with the deployment file, stops and kills it, and starts it again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import type { OpenDatabaseOptions } from '@service/database';
import { Localnet } from '@service/localnet';
import { type Deployment, parseDeployment, ServiceClient } from '@service/sdk';
import { openDatabase } from '@service/server';
import { newTestPlace } from '@service/server/test-database';
import {
  type OperationJson,
  openRpcGate,
  type RpcGate,
  ruleSetBody,
  Visitor,
} from '@service/server/test-service';
import { SOL } from '@service/test-support';
import { createKeyPairSignerFromBytes, generateKeyPairSigner, type Signature } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bundleCommands } from './support/bundle-commands.ts';
import { type Child, freePort, killAll, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const [CLI, SERVE] = ['packages/cli/src/main.ts', 'packages/server/src/main.ts'] as const;
const { bundles, remove: removeBundles } = await bundleCommands(CLI, SERVE);
const [cliBundle, serveBundle] = bundles;
const folder = mkdtempSync(join(tmpdir(), 'serve-'));
const net = Localnet.start({ slotMs: 'manual', finalitySlots: 4 });
/** Stops the slots, so that no blockhash expires while a server starts. */
let isPaused = false;
const slots = setInterval(() => isPaused || net.advanceSlots(1), 25);
let gate: RpcGate;
/** PGlite in a folder, or a new database where TEST_DATABASE_URL names a PostgreSQL. */
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
  isPaused = false;
  gate.release();
});
afterAll(async () => {
  await killAll();
  await place.drop();
  await gate.close();
  clearInterval(slots);
  await net.stop();
  removeBundles();
  rmSync(folder, { recursive: true });
});

/** Writes a key file as solana-keygen does, and funds its key. */
async function keyFile(name: string, lamports = 0n): Promise<string> {
  const key = nacl.sign.keyPair().secretKey;
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify([...key]));
  if (lamports > 0n) net.airdrop((await createKeyPairSignerFromBytes(key)).address, lamports);
  return file;
}

const start = (file: string, env: Record<string, string>, args: readonly string[] = []) =>
  startChild(file, { env, args, cwd: folder });

const serverEnv: Record<string, string> = {
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  POLL_INTERVAL_MS: '50',
};
async function serve(env: Record<string, string> = {}, file = serveBundle): Promise<Child> {
  const child = start(file, { ...serverEnv, ...env });
  await child.printed('"msg":"listening"');
  return child;
}

/** A new wallet with SOL that is signed in over HTTP. */
async function visitor(): Promise<Visitor> {
  const signer = await generateKeyPairSigner();
  net.airdrop(signer.address, SOL);
  const app = { request: (path: string, init: RequestInit) => fetch(`${baseUrl}${path}`, init) };
  return new Visitor(app as never, signer, baseUrl).signIn();
}

/** Starts a request, and resolves when the server waits for the RPC. `repeat` sends the same request again. */
async function heldRequest(of: Visitor) {
  const held = gate.hold('getLatestBlockhash').then(() => true);
  // Requests share a blockhash for a second. Those that still get it are answered.
  for (;;) {
    const [body, key] = [ruleSetBody(), crypto.randomUUID()];
    const repeat = () => of.prepare('/api/rules', body, key);
    const response = repeat();
    if (await Promise.race([held, response.then(() => false)])) return { response, repeat };
  }
}

/** Waits for a few slots. */
const slot = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Polls an operation until it has this state. */
async function reaches(of: Visitor, { operationId }: OperationJson, state: string): Promise<OperationJson> {
  for (;;) {
    const { body } = await of.operation(operationId);
    if (body.state === state) return body;
    expect(['QUEUED', 'SUBMITTED'], JSON.stringify(body)).toContain(body.state);
    await slot();
  }
}

test('npm run cli -- deploy sets up everything through an RPC; a second run sends nothing', async () => {
  const program = await keyFile('program');
  const { address: VERIFIER_AUTHORITY } = await generateKeyPairSigner();
  const env = {
    RPC_URL: gate.url,
    PAYER_FILE: await keyFile('payer', 2n * SOL),
    VERIFIER_AUTHORITY,
    VERIFIER_URL: 'https://verifier.example/start',
    PASS_FEE_LAMPORTS: '50000',
  };
  const argsOf = (keypair: string) => ['deploy', '--program-keypair-file', keypair, '--base-url', baseUrl];
  const first = start(CLI, env, argsOf(program));
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

  const count = () => net.rpc.getTransactionCount({ commitment: 'processed' }).send();
  const sent = await count();
  const second = start(cliBundle, env, argsOf(program));
  expect(await second.ended, second.stderr()).toBe(0);
  expect(second.stdout().match(/already/g)).toHaveLength(5);
  expect(readFileSync(deploymentFile, 'utf8')).toBe(written);

  const third = start(cliBundle, env, argsOf(await keyFile('another-program')));
  expect(await third.ended).toBe(1);
  expect(third.stderr()).toContain(`belongs to the program ${deployment.program}`);
  expect(readFileSync(deploymentFile, 'utf8')).toBe(written);
  expect(await count()).toBe(sent);
});

let served: Child;

test('the server starts with the deployment file, and the SDK signs in and creates a rule set', async () => {
  Object.assign(serverEnv, {
    DEPLOYMENT_FILE: deploymentFile,
    RPC_URL: gate.url,
    PORT: new URL(baseUrl).port,
    FEE_PAYER_FILE: await keyFile('fee-payer', SOL),
  });
  served = await serve({}, SERVE);
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
  // Every line of the log is JSON.
  for (const line of served.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(served.stderr()).toBe('');
});

let holder: Visitor;
let submitted: OperationJson;

test('SIGTERM: the server answers open requests, ends its step and returns its leases', async () => {
  holder = await visitor();
  const other = await visitor();
  const prepared = await holder.prepare('/api/rules', ruleSetBody());
  isPaused = true;
  const broadcast = gate.hold('sendTransaction');
  ({ body: submitted } = await holder.signAndSubmit(prepared));
  expect(submitted.state).toBe('QUEUED');
  await broadcast;
  const { response, repeat } = await heldRequest(other);

  served.kill('SIGTERM');
  await served.printed('"msg":"closing"');
  await expect(fetch(`${baseUrl}/api/health/live`)).rejects.toThrow('fetch failed');
  gate.release('getLatestBlockhash');
  const answered = await response;
  expect(answered.status).toBe(200);
  // The server now waits for the worker's step.
  await slot();
  gate.release('sendTransaction');
  expect(await served.ended).toBe(0);
  expect(served.stdout()).toContain('"msg":"closed"');

  const database = await openDatabase(place.options);
  const rows = await database.db.selectFrom('operation').select(['id', 'state', 'lease_owner']).execute();
  await database.close();
  expect(rows.filter(({ lease_owner }) => lease_owner !== null)).toEqual([]);
  expect(rows).toContainEqual({ id: submitted.operationId, state: 'SUBMITTED', lease_owner: null });

  served = await serve({ POLL_INTERVAL_MS: '60000' });
  // The session and the draft of the key are still there.
  expect((await repeat()).body.operationId).toBe(answered.body.operationId);
  expect((await holder.operation(submitted.operationId)).body.state).toMatch(/SUBMITTED|FINALIZED/);
});

test('SIGKILL: the server loses nothing that it answered, and continues submitted operations', async () => {
  const second = await visitor();
  isPaused = true;
  const prepared = await second.prepare('/api/rules', ruleSetBody());
  // The worker's next step is a minute away, so the operation stays queued.
  const queued = await second.signAndSubmit(prepared);
  expect(queued.body.state).toBe('QUEUED');
  const { response, repeat } = await heldRequest(await visitor());
  served.kill('SIGKILL');
  await expect(response).rejects.toThrow('fetch failed');
  expect(await served.ended).toBe('SIGKILL');
  gate.release();

  served = await serve();
  isPaused = false;
  const final = await reaches(second, queued.body, 'FINALIZED');
  expect((await repeat()).status).toBe(200);
  const signatures = [final, submitted].map(({ signature }) => signature as Signature);
  const { value } = await net.rpc.getSignatureStatuses(signatures).send();
  expect(value).toMatchObject([{ err: null }, { err: null }]);
});

test('a second signal ends the server at once', async () => {
  const { response } = await heldRequest(await visitor());
  served.kill('SIGTERM');
  await served.printed('"msg":"closing"');
  served.kill('SIGINT');
  await expect(response).rejects.toThrow('fetch failed');
  expect(await served.ended).toBe(1);
});

test('a server whose output nobody reads goes on, and ends at SIGTERM', async () => {
  const server = await serve();
  server.stopReading();
  for (let requests = 0; requests < 3; requests++) {
    expect((await fetch(`${baseUrl}/api/health/live`)).status).toBe(200);
  }
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('DRAIN_SECONDS: after SIGTERM it is not ready, but works until the drain is over', async () => {
  const server = await serve({ DRAIN_SECONDS: '8' });
  const ready = () => fetch(`${baseUrl}/api/health/ready`);
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), { timeout: 30_000, interval: 50 });

  const began = performance.now();
  server.kill('SIGTERM');
  await server.printed('"msg":"draining"');
  const answer = await ready();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ status: 'failing', error: { code: 'UNAVAILABLE' } });
  // Requests and background work go on: a new connection gets an answer, and a new operation is broadcast.
  const during = await visitor();
  const { body } = await during.signAndSubmit(await during.prepare('/api/rules', ruleSetBody()));
  await reaches(during, body, 'FINALIZED');
  expect(server.stdout()).not.toContain('"msg":"closing"');

  expect(await server.ended).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(7_900);
  expect(server.stdout()).toContain('"msg":"closed"');
});

test('a server that cannot start prints one line; exit code 2 means a wrong configuration', async () => {
  const written = JSON.parse(readFileSync(deploymentFile, 'utf8'));
  /** Writes a deployment file in which one field differs. */
  const changed = (field: string, value: string) => {
    const file = join(folder, `other-${field}.json`);
    writeFileSync(file, JSON.stringify({ ...written, [field]: value }));
    return { DEPLOYMENT_FILE: file };
  };
  const { genesisHash } = net;
  const otherGenesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  /** Checks that the server ends with this exit code and prints this line. */
  const refused = async (env: Record<string, string>, code: number, line: string) => {
    const { DATA_DIRECTORY: _, ...others } = serverEnv;
    const child = start(serveBundle, { ...('DATABASE_URL' in env ? others : serverEnv), ...env });
    expect(await child.ended, line).toBe(code);
    expect(child.stderr()).toBe(`${line}\n`);
  };
  const inOrder = async () => {
    // One after the other, because each opens the database.
    await refused(
      changed('genesisHash', otherGenesis),
      2,
      `An RPC is on another cluster: its genesis hash is ${genesisHash}, but the settings have ${otherGenesis}. Correct the RPC URL or GENESIS_HASH.`,
    );
    const { address: program } = await generateKeyPairSigner();
    const cluster = `on the cluster with the genesis hash ${genesisHash}`;
    await refused(
      changed('program', program),
      2,
      `The database belongs to the program ${deployment.program} ${cluster}, but the settings have the program ${program} ${cluster}. Correct PROGRAM and GENESIS_HASH (or DEPLOYMENT_FILE), or set DATABASE_URL or DATA_DIRECTORY to another database.`,
    );
    void gate.hold('getGenesisHash');
    await refused({ START_SECONDS: '1' }, 1, 'The RPC did not respond: no response within 1 s.');
  };
  const { artifactsDigest } = written;
  const other = '0'.repeat(64);
  const port = await freePort();
  await Promise.all([
    inOrder(),
    refused(
      changed('artifactsDigest', other),
      2,
      `ARTIFACTS_DIRECTORY: The artifacts in ${artifactsDirectory} have the digest ${artifactsDigest}. Expected ${other}, which the deployment pins.`,
    ),
    refused(
      { DATABASE_URL: `postgres://me:SECRET@127.0.0.1:${port}/none` },
      1,
      `The database did not respond: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ),
  ]);
});
