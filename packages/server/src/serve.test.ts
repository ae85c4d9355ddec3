/** Messages to the operator at the start: a taken port, missing artifacts, a fee payer without SOL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { Localnet } from '@service/localnet';
import { generateKeyPairSigner } from '@solana/kit';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeServer, listenOnLoopback } from '../test/support/loopback.ts';
import { newTestPlace, type TestPlace } from '../test/support/test-database.ts';
import type { Configuration } from './configuration/read-configuration.ts';
import { serve } from './serve.ts';

let net: Localnet;
let place: TestPlace;
let configuration: Configuration;
const folder = mkdtempSync(join(tmpdir(), 'serve-'));
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });

beforeAll(async () => {
  net = Localnet.start({ slotMs: 'manual' });
  const [{ url }, { digest }] = await Promise.all([net.listen({ port: 0 }), readArtifacts()]);
  place = await newTestPlace();
  configuration = {
    settings: {
      origin: 'https://site.example',
      program: (await generateKeyPairSigner()).address,
      genesisHash: net.genesisHash,
      publicRpcUrl: 'https://rpc.example',
      verifier: { name: 'main', url: 'https://verifier.example', webhookSecret: '' },
      maxIndexLagSeconds: 60,
      pollIntervalMs: 60_000,
    },
    artifacts: { directory: artifactsDirectory, digest },
    rpcUrl: url,
    otherRpcUrls: [],
    database: place.options,
    pages: null,
    listen: { host: '127.0.0.1', port: 0 },
    metrics: null,
    logLevel: 'warn',
    startMs: 10_000,
    drainMs: 0,
    graceMs: 10_000,
    feePayer: await generateKeyPairSigner(),
  };
});
afterAll(async () => {
  await place.drop();
  await net.stop();
  rmSync(folder, { recursive: true });
});

test('the error of a taken port names its variable and says what to do', async () => {
  const other = createServer();
  const port = await listenOnLoopback(other);
  const taken = { host: '127.0.0.1', port };
  await expect(serve({ ...configuration, listen: taken }, log)).rejects.toThrow(
    `PORT: port ${port} is taken. Stop the process that uses it, or set PORT to another port.`,
  );
  await expect(serve({ ...configuration, metrics: taken }, log)).rejects.toThrow(
    `METRICS_PORT: port ${port} is taken. Stop the process that uses it, or set METRICS_PORT to another port.`,
  );
  await closeServer(other);
});

test('a folder without artifacts is a configuration error', async () => {
  const artifacts = { ...configuration.artifacts, directory: folder };
  await expect(serve({ ...configuration, artifacts }, log)).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: `ARTIFACTS_DIRECTORY: manifest.json in the folder of the proof artifacts, ${folder}, cannot be read (ENOENT). Run npm run build -w @service/circuit.`,
  });
});

test('the server starts with one warning if the fee payer cannot pay for a credential', async () => {
  const warnings = async () => {
    logged.length = 0;
    await (await serve(configuration, log)).close();
    return logged.filter((line) => line.includes('fee payer')).map((line) => JSON.parse(line).msg);
  };
  const { address } = configuration.feePayer;
  const warning = (lamports: number) =>
    `The fee payer ${address} has ${lamports} lamports, but a credential costs 1700000. Send SOL to it: without SOL it puts no credential on chain.`;
  expect(await warnings()).toEqual([warning(0)]);
  net.airdrop(address, 1_699_999n);
  net.finalize();
  expect(await warnings()).toEqual([warning(1_699_999)]);
  net.airdrop(address, 1n);
  net.finalize();
  expect(await warnings()).toEqual([]);
});
