import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@service/configuration';
import { errorOf } from '@service/test-support';
import { generateKeyPairSigner } from '@solana/kit';
import nacl from 'tweetnacl';
import { afterAll, expect, test } from 'vitest';
import { pagesDirectory } from '../pages-directory.ts';
import { readConfiguration } from './read-configuration.ts';
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
const whsec = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
const BASE: Environment = {
  DEPLOYMENT_FILE: file('deployment.json', DEPLOYMENT),
  WEBHOOK_SECRET: whsec(7),
  FEE_PAYER,
  DATA_DIRECTORY: '/data',
};
/** Returns the lines of the ConfigurationError. */
const faultsOf = async (environment: Environment): Promise<string[]> => {
  const error = (await errorOf(readConfiguration(environment))) as Error;
  return error.message.split('\n');
};

test('a deployment file and three variables are enough; the rest has defaults', async () => {
  const { feePayer, ...rest } = await readConfiguration(BASE);
  const publicKey = await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey);
  expect(new Uint8Array(publicKey)).toEqual(key.slice(32));
  expect(rest).toMatchObject({
    settings: {
      origin: 'https://app.example',
      otherOrigins: [],
      program: DEPLOYMENT.program,
      genesisHash: DEPLOYMENT.genesisHash,
      publicRpcUrl: 'https://rpc.example',
      verifier: { name: 'main', url: 'https://verifier.example', webhookSecret: BASE.WEBHOOK_SECRET },
      otherVerifiers: [],
      trustedProxies: [],
      maxIndexLagSeconds: 60,
      maxPriorityFeeLamports: 1_000_000n,
      keeper: { dailyLamports: 50_000_000n, mints: undefined },
      pollIntervalMs: 1000,
    },
    artifacts: { digest: DEPLOYMENT.artifactsDigest },
    rpcUrl: 'https://rpc.example',
    otherRpcUrls: [],
    database: { url: undefined, directory: '/data' },
    listen: { host: '127.0.0.1', port: 3000 },
    metrics: null,
    logLevel: 'info',
    startMs: 10_000,
    drainMs: 0,
    graceMs: 10_000,
  });
});

test('works without a deployment file, with secrets in files, and with a separate public RPC', async () => {
  const { DEPLOYMENT_FILE: _, FEE_PAYER: text, ...others } = BASE;
  const environment = {
    ...others,
    ORIGIN: 'https://app.example',
    OTHER_ORIGINS: 'https://www.app.example, http://localhost:5173',
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
    KEEPER_DAILY_LAMPORTS: '0',
    KEEPER_MINTS: `${DEPLOYMENT.program}, ${DEPLOYMENT.program}`,
  };
  expect(await readConfiguration(environment)).toMatchObject({
    rpcUrl: 'https://rpc.example/?key=SECRET',
    otherRpcUrls: ['https://second.example', 'https://third.example'],
    settings: {
      otherOrigins: ['https://www.app.example', 'http://localhost:5173'],
      publicRpcUrl: 'https://public.example',
      verifier: { url: 'https://verifier.example/base' },
      trustedProxies: ['10.0.0.0/8', 'fd00::/8', 'loopback'],
      keeper: { dailyLamports: 0n, mints: [DEPLOYMENT.program, DEPLOYMENT.program] },
    },
    listen: { port: 0 },
    metrics: { host: '127.0.0.1', port: 9464 },
  });
  const withFile = { ...BASE, RPC_URL_FILE: environment.RPC_URL_FILE };
  expect(await readConfiguration(withFile)).toMatchObject({
    rpcUrl: 'https://rpc.example/?key=SECRET',
    settings: { publicRpcUrl: 'https://rpc.example' },
  });
  expect(await faultsOf({ ...environment, PUBLIC_RPC_URL: '' })).toEqual([
    'PUBLIC_RPC_URL is not set. Expected an http or https URL without a user name; by default rpcUrl of DEPLOYMENT_FILE.',
  ]);
});

test('an empty environment gives a line for each required variable', async () => {
  const lines = await faultsOf({});
  const optional = ['DEPLOYMENT_FILE', 'DATA_DIRECTORY', 'DATABASE_URL', 'METRICS_PORT'];
  for (const [name, form] of Object.entries(serverVariables.shape)) {
    const isRequired = !form.safeParse(undefined).success;
    const reported = lines.filter((line) => line.startsWith(`${name} is not set.`));
    if (!optional.includes(name)) expect(reported, name).toHaveLength(isRequired ? 1 : 0);
  }
  expect(lines).toContain(
    'FEE_PAYER is not set. Expected the JSON list of 64 bytes that solana-keygen writes, or a file that contains it, named in FEE_PAYER_FILE.',
  );
  expect(lines.at(-1)).toBe('DATABASE_URL and DATA_DIRECTORY are not set. Expected exactly one of them.');
});

const malformed = (name: string, value: string) =>
  [`${name} is "${value}", which is malformed.`, { [name]: value }] as [string, Environment];
/** For a value that the message must not show. */
const hidden = (name: string, value: string) =>
  [`${name} is malformed (its value is not shown).`, { [name]: value }] as [string, Environment];
const deploymentFile = (line: string, path: string) =>
  [line, { DEPLOYMENT_FILE: path }] as [string, Environment];

test.each<[string, Environment]>([
  ['PORT is "80a", which is malformed. Expected a whole number from 0 to 65535.', { PORT: '80a' }],
  ['PORT is "65536", which is malformed. Expected a whole number from 0 to 65535.', { PORT: '65536' }],
  malformed('TRUSTED_PROXIES', '10'),
  malformed('TRUSTED_PROXIES', '10.0.0.0/33'),
  malformed('TRUSTED_PROXIES', '10.0.0.1,*'),
  malformed('KEEPER_MINTS', 'all'),
  malformed('METRICS_PORT', 'off'),
  malformed('POLL_INTERVAL_MS', '1'),
  malformed('LOG_LEVEL', 'loud'),
  malformed('ORIGIN', 'https://app.example/'),
  malformed('ORIGIN', 'ftp://app.example'),
  malformed('OTHER_ORIGINS', 'https://www.app.example,https://APP.example'),
  malformed('OTHER_ORIGINS', 'https://www.app.example/'),
  malformed('OTHER_ORIGINS', 'null'),
  malformed('OTHER_ORIGINS', '*'),
  ['ORIGIN is "https://other.example", but ', { ORIGIN: 'https://other.example' }],
  ['GENESIS_HASH is "5eykt4UsFv8P8NJdT', { GENESIS_HASH: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }],
  malformed('VERIFIER_URL', 'verifier'),
  ['DATABASE_URL and DATA_DIRECTORY are both set.', { DATABASE_URL: 'postgres://a:SECRET@h/d' }],
  hidden('DATABASE_URL', 'mysql://a:SECRET@h/d'),
  hidden('RPC_URL', 'ws://SECRET'),
  hidden('OTHER_RPC_URLS', 'https://a.example,SECRET'),
  hidden('WEBHOOK_SECRET', 'whsec_SECRET'),
  hidden('FEE_PAYER', '[1,2,3]'),
  hidden('FEE_PAYER', JSON.stringify([...key].reverse())),
  ['FEE_PAYER and FEE_PAYER_FILE are both set.', { FEE_PAYER_FILE: '/nowhere' }],
  ...Object.entries({ FEE_PAYER: '/nowhere', WEBHOOK_SECRET: 'whsec_SECRET' }).map(
    ([name, path]): [string, Environment] => [
      `${name}_FILE names a file that cannot be read (ENOENT).`,
      { [name]: '', [`${name}_FILE`]: path },
    ],
  ),
  // fetch rejects URLs with a user name, and its error would show them.
  hidden('RPC_URL', 'https://me:SECRET@rpc.example'),
  hidden('OTHER_RPC_URLS', 'https://a.example,https://SECRET@b.example'),
  hidden('PUBLIC_RPC_URL', 'https://me:SECRET@rpc.example'),
  hidden('VERIFIER_URL', 'https://me:SECRET@v.example'),
  deploymentFile('DEPLOYMENT_FILE: /nowhere cannot be read (ENOENT).', '/nowhere'),
  deploymentFile('DEPLOYMENT_FILE: ', file('no-json', '{')),
  deploymentFile('DEPLOYMENT_FILE: program in ', file('bad.json', { ...DEPLOYMENT, program: 'x' })),
  deploymentFile('less.json must be a string.', file('less.json', { ...DEPLOYMENT, genesisHash: undefined })),
])('%s', async (line, environment) => {
  const lines = await faultsOf({ ...BASE, ...environment });
  expect(lines).toEqual([expect.stringContaining(line)]);
  expect(lines[0]).not.toMatch(/SECRET(?! is|_FILE)|1,2,3/);
});

test('a deployment file with several verifiers does not choose one', async () => {
  const verifierOrigins = ['https://a.example', 'https://b.example'];
  const several = file('several.json', { ...DEPLOYMENT, verifierOrigins });
  expect(await faultsOf({ ...BASE, DEPLOYMENT_FILE: several })).toEqual([
    expect.stringContaining('VERIFIER_URL is not set.'),
  ]);
});

const SECOND = { name: 'Second', url: 'https://second.example/base/', webhookSecret: whsec(9) };

test('more verifiers are a JSON list, also in a file', async () => {
  const environment = {
    ...BASE,
    VERIFIER_NAME: 'First',
    OTHER_VERIFIERS_FILE: file('verifiers.json', [SECOND]),
  };
  expect((await readConfiguration(environment)).settings).toMatchObject({
    verifier: { name: 'First' },
    otherVerifiers: [{ ...SECOND, url: 'https://second.example/base' }],
  });
});

const MALFORMED = 'OTHER_VERIFIERS is malformed (its value is not shown).';
test.each<[string, unknown]>([
  ['OTHER_VERIFIERS: Two verifiers have the same name: main, main.', [{ ...SECOND, name: 'main' }]],
  [
    'OTHER_VERIFIERS: The verifiers main and Second have the same secret.',
    [{ ...SECOND, webhookSecret: whsec(7) }],
  ],
  [
    'OTHER_VERIFIERS: The verifiers main and Second have the same secret.',
    [{ ...SECOND, previousWebhookSecret: whsec(7) }],
  ],
  [
    'OTHER_VERIFIERS: The verifiers Second and Third have the same secret.',
    [SECOND, { ...SECOND, name: 'Third' }],
  ],
  [MALFORMED, SECOND],
  [MALFORMED, [{ ...SECOND, name: '' }]],
  [MALFORMED, [{ ...SECOND, url: 'second.example' }]],
  [MALFORMED, [{ ...SECOND, webhookSecret: 'whsec_SECRET' }]],
  [MALFORMED, [{ ...SECOND, webhookSecret: undefined }]],
  [MALFORMED, [{ ...SECOND, more: 1 }]],
  [MALFORMED, '[{'],
])('%s (%#)', async (line, verifiers) => {
  const text = typeof verifiers === 'string' ? verifiers : JSON.stringify(verifiers);
  const lines = await faultsOf({ ...BASE, OTHER_VERIFIERS: text });
  expect(lines).toEqual([expect.stringContaining(line)]);
  expect(lines[0]).not.toMatch(/whsec_[A-Za-z0-9]/);
});

const EVENTS_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

test('events go to a URL with its secrets, or to nobody', async () => {
  const { settings } = await readConfiguration({
    ...BASE,
    EVENTS_URL: 'https://receiver.example/hooks/?key=1',
    EVENTS_SECRET_FILE: file('events-secret', `${EVENTS_SECRET}\n`),
    PREVIOUS_EVENTS_SECRET: BASE.WEBHOOK_SECRET,
  });
  const secrets = [EVENTS_SECRET, BASE.WEBHOOK_SECRET];
  expect(settings.events).toEqual({ url: 'https://receiver.example/hooks/?key=1', secrets });
  expect((await readConfiguration(BASE)).settings.events).toBeUndefined();
});

test.each<[Environment, RegExp]>([
  [{ EVENTS_URL: 'https://receiver.example' }, /^EVENTS_URL is set, but EVENTS_SECRET is not/],
  [{ EVENTS_SECRET }, /^EVENTS_SECRET is set, but EVENTS_URL is not/],
  [{ PREVIOUS_EVENTS_SECRET: EVENTS_SECRET }, /^PREVIOUS_EVENTS_SECRET is set, but EVENTS_SECRET is not/],
  [
    { EVENTS_URL: 'ftp://receiver.example', EVENTS_SECRET },
    /^EVENTS_URL is malformed \(its value is not shown\)/,
  ],
  [{ EVENTS_URL: 'https://me:SECRET@receiver.example', EVENTS_SECRET }, /^EVENTS_URL is malformed/],
  [{ EVENTS_URL: 'https://receiver.example', EVENTS_SECRET: 'whsec_SECRET' }, /^EVENTS_SECRET is malformed/],
])(
  'rejects incomplete or malformed variables of events, without showing them (%#)',
  async (variables, fault) => {
    const faults = await faultsOf({ ...BASE, ...variables });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults.join()).not.toMatch(/SECRET@|whsec_SECRET|SECRETx/);
  },
);

test('a page needs a deployment file, and a folder that has a page', async () => {
  const pagesOf = async (environment: Environment) => (await readConfiguration(environment)).pages;
  expect(await pagesOf(BASE)).toEqual({ directory: pagesDirectory, deployment: DEPLOYMENT });
  expect(await pagesOf({ ...BASE, PAGES_DIRECTORY: 'none' })).toBeNull();
  expect(await pagesOf({ ...BASE, PUBLIC_RPC_URL: 'https://public.example' })).toEqual({
    directory: pagesDirectory,
    deployment: { ...DEPLOYMENT, rpcUrl: 'https://public.example' },
  });
  const { DEPLOYMENT_FILE: _, ...withoutFile } = BASE;
  const values = {
    ORIGIN: DEPLOYMENT.baseUrl,
    PROGRAM: DEPLOYMENT.program,
    GENESIS_HASH: DEPLOYMENT.genesisHash,
    ARTIFACTS_DIGEST: DEPLOYMENT.artifactsDigest,
    RPC_URL: DEPLOYMENT.rpcUrl,
    PUBLIC_RPC_URL: DEPLOYMENT.rpcUrl,
    VERIFIER_URL: 'https://verifier.example',
  };
  expect(await pagesOf({ ...withoutFile, ...values })).toBeNull();

  expect(await faultsOf({ ...BASE, PAGES_DIRECTORY: folder })).toEqual([
    `PAGES_DIRECTORY is ${JSON.stringify(folder)}, which has no index.html. Expected the folder of a built page, or none.`,
  ]);
  file('index.html', '<title>own</title>');
  expect(await pagesOf({ ...BASE, PAGES_DIRECTORY: folder })).toMatchObject({ directory: folder });
});
