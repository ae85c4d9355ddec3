import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, expect, test } from 'vitest';
import { readConfiguration } from './read-configuration.ts';
import type { Environment } from './read-variables.ts';
import { serverVariables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const DEPLOYMENT = {
  program: (await generateKeyPairSigner()).address as string,
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  artifactsDigest: 'a'.repeat(64),
  rpcUrl: 'https://rpc.example',
  verifierOrigins: ['https://verifier.example'],
  baseUrl: 'https://app.example',
};
const key = nacl.sign.keyPair().secretKey;
const FEE_PAYER = JSON.stringify([...key]);
const BASE: Environment = {
  DEPLOYMENT_FILE: file('deployment.json', DEPLOYMENT),
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  FEE_PAYER,
  DATA_DIRECTORY: '/data',
};
/** The lines of the refusal. */
const faultsOf = async (environment: Environment): Promise<string[]> => {
  const error = await readConfiguration(environment).then(
    () => new Error('nothing is wrong'),
    (reason: Error) => reason,
  );
  return error.message.split('\n');
};

test('a deployment file and three variables are enough; the rest has defaults', async () => {
  const { feePayer, ...rest } = await readConfiguration(BASE);
  expect(Buffer.from(key.subarray(32)).toString('hex')).toBe(
    Buffer.from(new Uint8Array(await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey))).toString(
      'hex',
    ),
  );
  expect(rest).toMatchObject({
    origin: 'https://app.example',
    program: DEPLOYMENT.program,
    genesisHash: DEPLOYMENT.genesisHash,
    artifacts: { digest: DEPLOYMENT.artifactsDigest },
    rpcUrl: 'https://rpc.example',
    otherRpcUrls: [],
    publicRpcUrl: 'https://rpc.example',
    verifier: { url: 'https://verifier.example', webhookSecret: BASE.WEBHOOK_SECRET },
    database: { url: undefined, directory: '/data' },
    listen: { host: '127.0.0.1', port: 3000 },
    metrics: null,
    trustedProxies: [],
    maxIndexLagSeconds: 60,
    pollIntervalMs: 1000,
    logLevel: 'info',
    startMs: 10_000,
    graceMs: 10_000,
  });
});

test('variables go without a deployment file, secrets may be in files, and the own RPC is not the public one', async () => {
  const { DEPLOYMENT_FILE: _, FEE_PAYER: text, ...others } = BASE;
  const environment = {
    ...others,
    ORIGIN: 'https://app.example',
    PROGRAM: DEPLOYMENT.program,
    GENESIS_HASH: DEPLOYMENT.genesisHash,
    ARTIFACTS_DIGEST: DEPLOYMENT.artifactsDigest,
    RPC_URL_FILE: file('rpc', 'https://rpc.example/?key=SECRET\n'),
    OTHER_RPC_URLS: 'https://second.example/, https://third.example',
    PUBLIC_RPC_URL: 'https://public.example',
    VERIFIER_URL: 'https://verifier.example/base/',
    FEE_PAYER_FILE: file('fee-payer.json', `${text}\n`),
    PORT: '0',
    METRICS_PORT: '9464',
    TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,loopback',
  };
  expect(await readConfiguration(environment)).toMatchObject({
    rpcUrl: 'https://rpc.example/?key=SECRET',
    otherRpcUrls: ['https://second.example', 'https://third.example'],
    publicRpcUrl: 'https://public.example',
    verifier: { url: 'https://verifier.example/base' },
    listen: { port: 0 },
    metrics: { host: '127.0.0.1', port: 9464 },
    trustedProxies: ['10.0.0.0/8', 'fd00::/8', 'loopback'],
  });
  const withFile = { ...BASE, RPC_URL_FILE: environment.RPC_URL_FILE };
  expect(await readConfiguration(withFile)).toMatchObject({
    rpcUrl: 'https://rpc.example/?key=SECRET',
    publicRpcUrl: 'https://rpc.example',
  });
  expect(await faultsOf({ ...environment, PUBLIC_RPC_URL: '' })).toEqual([
    'PUBLIC_RPC_URL is not set. Expected an http or https URL without a user name; by default rpcUrl of DEPLOYMENT_FILE.',
  ]);
});

test('nothing at all is a line for each variable that is required', async () => {
  const lines = await faultsOf({});
  const optional = ['DEPLOYMENT_FILE', 'DATA_DIRECTORY', 'DATABASE_URL', 'METRICS_PORT'];
  for (const [name, form] of Object.entries(serverVariables.shape)) {
    const isRequired = !form.safeParse(undefined).success;
    const told = lines.filter((line) => line.startsWith(`${name} is not set.`));
    if (!optional.includes(name)) expect(told, name).toHaveLength(isRequired ? 1 : 0);
  }
  expect(lines).toContain(
    'FEE_PAYER is not set. Expected the JSON list of 64 bytes that solana-keygen writes, or a file that contains it, named in FEE_PAYER_FILE.',
  );
  expect(lines.at(-1)).toBe('DATABASE_URL and DATA_DIRECTORY are not set. Expected exactly one of them.');
});

test.each<[string, Environment]>([
  ['PORT is "80a", which is malformed. Expected a whole number from 0 to 65535.', { PORT: '80a' }],
  ['PORT is "65536", which is malformed. Expected a whole number from 0 to 65535.', { PORT: '65536' }],
  ['TRUSTED_PROXIES is "10", which is malformed.', { TRUSTED_PROXIES: '10' }],
  ['TRUSTED_PROXIES is "10.0.0.0/33", which is malformed.', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['TRUSTED_PROXIES is "10.0.0.1,*", which is malformed.', { TRUSTED_PROXIES: '10.0.0.1,*' }],
  ['METRICS_PORT is "off", which is malformed.', { METRICS_PORT: 'off' }],
  ['POLL_INTERVAL_MS is "1", which is malformed.', { POLL_INTERVAL_MS: '1' }],
  ['LOG_LEVEL is "loud", which is malformed.', { LOG_LEVEL: 'loud' }],
  ['ORIGIN is "https://app.example/", which is malformed.', { ORIGIN: 'https://app.example/' }],
  ['ORIGIN is "ftp://app.example", which is malformed.', { ORIGIN: 'ftp://app.example' }],
  ['ORIGIN is "https://other.example", but ', { ORIGIN: 'https://other.example' }],
  ['GENESIS_HASH is "5eykt4UsFv8P8NJdT', { GENESIS_HASH: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }],
  ['VERIFIER_URL is "verifier", which is malformed.', { VERIFIER_URL: 'verifier' }],
  ['DATABASE_URL and DATA_DIRECTORY are both set.', { DATABASE_URL: 'postgres://a:SECRET@h/d' }],
  ['DATABASE_URL is malformed (its value is not shown).', { DATABASE_URL: 'mysql://a:SECRET@h/d' }],
  ['RPC_URL is malformed (its value is not shown).', { RPC_URL: 'ws://SECRET' }],
  ['OTHER_RPC_URLS is malformed (its value is not shown).', { OTHER_RPC_URLS: 'https://a.example,SECRET' }],
  ['WEBHOOK_SECRET is malformed (its value is not shown).', { WEBHOOK_SECRET: 'whsec_SECRET' }],
  ['FEE_PAYER is malformed (its value is not shown).', { FEE_PAYER: '[1,2,3]' }],
  ['FEE_PAYER is malformed (its value is not shown).', { FEE_PAYER: JSON.stringify([...key].reverse()) }],
  ['FEE_PAYER and FEE_PAYER_FILE are both set.', { FEE_PAYER_FILE: '/nowhere' }],
  [
    'FEE_PAYER_FILE names a file that cannot be read (ENOENT).',
    { FEE_PAYER: '', FEE_PAYER_FILE: '/nowhere' },
  ],
  [
    'WEBHOOK_SECRET_FILE names a file that cannot be read (ENOENT).',
    { WEBHOOK_SECRET: '', WEBHOOK_SECRET_FILE: 'whsec_SECRET' },
  ],
  // No client of HTTP here takes them, and its error would show them.
  ['RPC_URL is malformed (its value is not shown).', { RPC_URL: 'https://me:SECRET@rpc.example' }],
  [
    'OTHER_RPC_URLS is malformed (its value is not shown).',
    { OTHER_RPC_URLS: 'https://a.example,https://SECRET@b.example' },
  ],
  [
    'PUBLIC_RPC_URL is malformed (its value is not shown).',
    { PUBLIC_RPC_URL: 'https://me:SECRET@rpc.example' },
  ],
  ['VERIFIER_URL is malformed (its value is not shown).', { VERIFIER_URL: 'https://me:SECRET@v.example' }],
  ['DEPLOYMENT_FILE: /nowhere cannot be read (ENOENT).', { DEPLOYMENT_FILE: '/nowhere' }],
  ['DEPLOYMENT_FILE: ', { DEPLOYMENT_FILE: file('no-json', '{') }],
  ['DEPLOYMENT_FILE: program in ', { DEPLOYMENT_FILE: file('bad.json', { ...DEPLOYMENT, program: 'x' }) }],
  [
    'less.json must be a string.',
    { DEPLOYMENT_FILE: file('less.json', { ...DEPLOYMENT, genesisHash: undefined }) },
  ],
])('%s', async (line, environment) => {
  const lines = await faultsOf({ ...BASE, ...environment });
  expect(lines).toEqual([expect.stringContaining(line)]);
  expect(lines[0]).not.toMatch(/SECRET(?! is|_FILE)|1,2,3/);
});

test('a deployment file of several verifiers does not choose one', async () => {
  const verifierOrigins = ['https://a.example', 'https://b.example'];
  const several = file('several.json', { ...DEPLOYMENT, verifierOrigins });
  expect(await faultsOf({ ...BASE, DEPLOYMENT_FILE: several })).toEqual([
    expect.stringContaining('VERIFIER_URL is not set.'),
  ]);
});
