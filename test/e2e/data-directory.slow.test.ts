/** `npm start -- --data-dir`: a stack that is killed while people use it continues with everything that it acknowledged. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsDirectory } from '@service/circuit';
import { startStack } from '@service/development';
import { developmentKeys, Localnet } from '@service/localnet';
import { PROGRAM_FILE } from '@service/program';
import {
  type Deployment,
  disposeProver,
  parseDeployment,
  parseWitnessFragment,
  ServiceClient,
} from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { callsTo, takeApprovalBack, transferInstruction, visitHostedPage } from '@service/test-support';
import { fundedWallet } from '@service/testing';
import {
  type Address,
  createSolanaRpc,
  generateKeyPairSigner,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundleCommands } from './support/bundle-commands.ts';
import { type Child, freePort, killAll, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { bundles, remove: removeBundle } = await bundleCommands('packages/development/src/start.ts');
const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
const data = join(folder, 'data');
const person = { region: 'FR', status: 'professional', birthDate: '1990-05-17' };
/** The dev server of a page, which forwards every request to the site: the use of `--origin`. */
let devServer: Server;
let origin: string;
let ports: { site: number; rpc: number; verifier: number };
let stack: Child;
let deployment: Deployment;

/** Starts the development stack with these ports and other options. */
function npmStart({ site, rpc, verifier }: typeof ports, ...options: string[]): Child {
  const fixed = `--no-demo --site-port ${site} --rpc-port ${rpc} --verifier-port ${verifier} --slot-ms 100 --finality-slots 2`;
  const cwd = mkdtempSync(join(folder, 'run-'));
  return startChild(bundles[0], { args: [...fixed.split(' '), ...options], cwd });
}

async function startHere(): Promise<Child> {
  const child = npmStart(ports, '--data-dir', data, '--origin', origin);
  await child.printed('ready:');
  return child;
}

beforeAll(async () => {
  const [site, rpc, verifier] = await Promise.all([freePort(), freePort(), freePort()]);
  ports = { site, rpc, verifier };
  devServer = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ port: site, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(devServer, 'listening');
  origin = `http://localhost:${(devServer.address() as AddressInfo).port}`;
  stack = await startHere();
  const written = /wrote (\S+)/.exec(stack.stdout())![1]!;
  deployment = parseDeployment(JSON.parse(readFileSync(written, 'utf8')));
});
afterAll(async () => {
  await disposeProver();
  await killAll();
  devServer.close();
  devServer.closeAllConnections();
  removeBundle();
  rmSync(folder, { recursive: true });
});

type Visitor = Awaited<ReturnType<typeof visitor>>;

/** Signs a person in and starts a verification. Returns its link, and the session cookie that the client sends. */
async function visitor() {
  const wallet = await fundedWallet(deployment);
  let cookie = '';
  const client = new ServiceClient({
    deployment,
    fetch: (input, init) => {
      const request = new Request(input, init);
      cookie = request.headers.get('cookie') ?? cookie;
      return fetch(request);
    },
  });
  await client.authenticate(wallet, deployment.genesisHash);
  const { url } = await client.startVerification({ returnUrl: `${origin}/verified` });
  return { wallet, client, link: url, cookie: () => cookie };
}

/** Passes the hosted page and proves a rule set. Creates the rule set unless it is given. Also returns the page of the check. */
async function getPass({ wallet, client, link }: Visitor, given?: Address) {
  const { location, checkUrl } = await visitHostedPage(link, person);
  const witness = parseWitnessFragment(new URL(location).hash)!;
  const rule = given ?? (await client.createRuleSet(wallet, rules)).rule;
  if (!given) await fundRuleSet(wallet, { deployment, rule, lamports: 10_000_000n });
  await client.waitForCredential();
  await client.prove(wallet, { rule, witness });
  return { rule, checkUrl };
}

const rules = {
  name: 'French professionals',
  clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;

/** Sends transfers one after the other until the stack is killed. Adds each acknowledged signature to the list. */
async function transferUntilGone(payer: KeyPairSigner, to: Address, acknowledged: Signature[]) {
  const { sendRaw, sign } = callsTo({ rpc: createSolanaRpc(deployment.rpcUrl) } as never);
  try {
    for (let lamports = AMOUNT; ; lamports++) {
      const transfer = transferInstruction(payer.address, to, lamports);
      acknowledged.push(await sendRaw(await sign([payer], [transfer])));
    }
  } catch (error) {
    // The connection breaks before or within a response.
    if (!/fetch failed|terminated/.test(String(error))) throw error;
  }
}
const AMOUNT = 1_000_000n;
const TRANSFERS = 40;

let holder: Visitor;
let late: Visitor;
let pass: Awaited<ReturnType<typeof getPass>>;

test('a second process on the folder and a taken port are rejected while people use the stack', async () => {
  expect(deployment.baseUrl).toBe(origin);
  const free = { site: 0, rpc: 0, verifier: 0 };
  const second = npmStart(free, '--data-dir', data);
  const taken = npmStart({ ...free, rpc: ports.rpc });
  [holder, late] = await Promise.all([visitor(), visitor()]);
  pass = await getPass(holder);
  expect([await second.ended, await taken.ended]).toEqual([1, 1]);
  expect(second.stderr()).toMatch(
    /^npm start failed: \S+data is in use by process \d+\. Stop it, or name another folder with --data-dir\.\n$/,
  );
  const remedy = `Stop the process that uses it, or run npm start -- --rpc-port ${ports.rpc + 100}. The last line of an earlier npm start has the command that stops it.`;
  expect(taken.stderr()).toBe(`npm start failed: port ${ports.rpc} is taken. ${remedy}\n`);
});

test('after a kill everything acknowledged still exists, and open work continues', async () => {
  const { client, wallet } = holder;
  const rpc = createSolanaRpc(deployment.rpcUrl);
  const { balanceOf } = callsTo({ rpc } as never);
  const { address: feePayer } = (await developmentKeys()).payer;
  const [passportBefore, networkBefore] = [await client.passport(), await client.network()];
  const payerBefore = await balanceOf(feePayer, 'finalized');
  const payer = await fundedWallet(deployment);
  const { address: receiver } = await generateKeyPairSigner();
  const acknowledged: Signature[] = [];
  const transfers = transferUntilGone(payer, receiver, acknowledged);
  while (acknowledged.length < TRANSFERS) await slot();
  const prepared = await client.prepare.createRuleSet({ ...rules, name: 'Just before' });
  const [slotBefore, operation] = await Promise.all([
    rpc.getSlot({ commitment: 'processed' }).send(),
    client.signAndSubmit(wallet, prepared),
  ]);
  stack.kill('SIGKILL');
  await Promise.all([stack.ended, transfers]);

  stack = await startHere();
  expect(stack.stdout()).not.toMatch(/deployed in|initialized:| set\b/);
  expect(await rpc.getGenesisHash().send()).toBe(deployment.genesisHash);
  expect(await balanceOf(feePayer, 'finalized')).toBe(payerBefore);
  expect(await rpc.getSlot({ commitment: 'finalized' }).send()).toBeGreaterThan(slotBefore);
  const inHistory = { searchTransactionHistory: true };
  const { value: statuses } = await rpc.getSignatureStatuses(acknowledged, inHistory).send();
  const finalized = { confirmationStatus: 'finalized', err: null };
  expect(statuses).toMatchObject(acknowledged.map(() => finalized));
  // The response of the last transfer may be lost.
  const received = await balanceOf(receiver, 'finalized');
  const landed = [...(await rpc.getSignaturesForAddress(receiver).send()).keys()];
  expect(received).toBe(landed.reduce((sum, index) => sum + AMOUNT + BigInt(index), 0n));
  expect(landed.length - acknowledged.length).toBeOneOf([0, 1]);

  // The sessions at the service and at the verifier are still valid.
  const { credential, passes } = passportBefore;
  expect(await client.passport()).toMatchObject({ credential, passes });
  expect((await client.network()).chainTime).toBeGreaterThanOrEqual(networkBefore.chainTime);
  expect(await getPass(late, pass.rule)).toMatchObject({ rule: pass.rule });
  await takeApprovalBack(pass.checkUrl);
  while (!(await client.passport()).credential?.revoked) await slot();

  // The service ends the submitted operation: it is finalized, or it failed because it never landed. The client can prove
  // that earlier than the service does, so this asks the service itself.
  await client.waitForOperation(operation.operationId).catch(() => undefined);
  const url = `${origin}/api/operations/${operation.operationId}`;
  const read = async () => (await fetch(url, { headers: { cookie: holder.cookie() } })).text();
  while (!/"state":"(FINALIZED|FAILED)"/.test(await read())) await slot();
});

const slot = () => new Promise((resolve) => setTimeout(resolve, 50));

test('SIGTERM ends the stack, which nobody reads; the folder is rejected with another program or other artifacts', async () => {
  stack.stopReading();
  stack.kill('SIGTERM');
  expect(await stack.ended, stack.stderr()).toBe(0);
  const { genesisHash } = deployment;
  const chain = Localnet.start({ slotMs: 'manual', journal: join(data, 'chain'), genesisHash });
  expect(await callsTo(chain).balanceOf(pass.rule, 'finalized')).toBeGreaterThan(0n);
  await chain.stop();

  const options = {
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 50,
    finalitySlots: 8,
    pollIntervalMs: 100,
    log: pino({ level: 'silent' }),
    dataDirectory: data,
  };
  const so = Buffer.concat([readFileSync(PROGRAM_FILE), Buffer.from([1])]);
  const programFile = join(folder, 'program.so');
  writeFileSync(programFile, so);
  writeFileSync(`${programFile}.sha256`, createHash('sha256').update(so).digest('hex'));
  const artifactsFolder = join(folder, 'artifacts');
  const manifestFile = join(artifactsFolder, 'manifest.json');
  cpSync(artifactsDirectory, artifactsFolder, { recursive: true });
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.compiler.version = '0.0.1';
  writeFileSync(manifestFile, JSON.stringify(manifest));
  for (const other of [{ programFile }, { artifactsFolder }]) {
    const remedy = 'Remove the folder, or name another with --data-dir.';
    const message = `data contains another program or circuit than this checkout. ${remedy}`;
    await expect(startStack({ ...options, ...other })).rejects.toThrow(message);
  }
});
