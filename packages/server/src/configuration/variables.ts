/** Every variable of `npx @service/server`: its schema, and its text in docs/guides/operator.md. */
import { artifactsDirectory } from '@service/circuit';
import {
  exactHttpUrl,
  httpUrl,
  httpUrls,
  keypair,
  list,
  variable,
  wholeNumber,
  withForm,
} from '@service/configuration';
import { addressField, genesisHashField, hexField, nameField, originField } from '@service/contract';
import { isProxyRange } from '@service/process';
import * as z from 'zod/mini';
import { pagesDirectory } from '../pages-directory.ts';
import { KEEPER_DAILY_LAMPORTS, MAX_PRIORITY_FEE_LAMPORTS, POLL_INTERVAL_MS } from '../settings.ts';

/** A Standard Webhooks secret. */
const webhookSecret = withForm(
  z.string().check(z.regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)),
  '`whsec_` and the base64 of at least 24 bytes',
);

/** Addresses and ranges of addresses, separated by commas. */
const proxyRanges = z.pipe(list, z.array(z.string().check(z.refine(isProxyRange))));

const addresses = z.pipe(list, z.array(addressField));

const origins = z.pipe(list, z.array(originField));

/** The verifiers besides the main one, as JSON. */
const otherVerifiers = withForm(
  z.pipe(
    z.pipe(z.string(), z.transform(parseJson)),
    z.array(
      z.strictObject({
        name: nameField,
        url: httpUrl,
        webhookSecret,
        previousWebhookSecret: z.optional(webhookSecret),
      }),
    ),
  ),
  'a JSON list of objects with `name`, `url`, `webhookSecret` and, during a rotation, `previousWebhookSecret`',
);

/** Returns undefined for a text that is no JSON, which no schema of a list accepts. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing, or what a new account must at least hold. The most limits the cost of a mistake. */
const welcomeLamports = withForm(
  z.union([z.pipe(z.literal('0'), z.transform(Number)), wholeNumber(1_000_000, 10_000_000)]),
  '0, or a whole number from 1000000 to 10000000',
);

/** The variables of a server. */
export const serverVariables = z.object({
  DEPLOYMENT_FILE: variable(z.optional(z.string()), {
    description:
      'The file that `npx @service/cli deploy` wrote. Variables with a default from this file need not be set.',
    expected: 'the path of a deployment.json',
    example: '/etc/service/deployment.json',
    otherwise: 'none',
  }),
  ORIGIN: variable(originField, {
    description: 'Origin of the site, to which wallets sign in. POSTs from any other origin are rejected.',
    expected: 'an http or https origin without a path',
    example: 'https://app.example',
    otherwise: '`baseUrl` of `DEPLOYMENT_FILE`',
  }),
  OTHER_ORIGINS: variable(z._default(origins, []), {
    description:
      'More origins whose pages [use this server](#serve-several-origins). A session is valid only at the origin that signed in.',
    expected: 'http or https origins without a path, separated by commas',
    example: 'https://www.app.example,https://preview.app.example',
    otherwise: 'none',
  }),
  PROGRAM: variable(addressField, {
    description: 'Address of the deployed program.',
    expected: 'a base58 address',
    example: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
    otherwise: '`program` of `DEPLOYMENT_FILE`',
  }),
  GENESIS_HASH: variable(genesisHashField, {
    description: 'Genesis hash that every RPC must have. The server does not start on another cluster.',
    expected: 'the base58 of 32 bytes',
    example: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    otherwise: '`genesisHash` of `DEPLOYMENT_FILE`',
  }),
  ARTIFACTS_DIGEST: variable(hexField, {
    description: 'Digest that the proof artifacts must have. The server does not start with other artifacts.',
    expected: '64 lowercase hex digits',
    example: 'the digest that `npx @service/cli deploy` prints',
    otherwise: '`artifactsDigest` of `DEPLOYMENT_FILE`',
  }),
  ARTIFACTS_DIRECTORY: variable(z._default(z.string(), artifactsDirectory), {
    description: 'Folder of the proof artifacts: `manifest.json` and the files that it lists.',
    expected: 'the path of a folder',
    example: '/srv/artifacts',
    otherwise: 'the committed artifacts',
  }),
  PAGES_DIRECTORY: variable(z._default(z.string(), pagesDirectory), {
    description:
      'Folder of the [page](#the-page) at `/`. It pins `DEPLOYMENT_FILE`, and without this file there is no page.',
    expected: 'the path of a folder with an `index.html`, or `none`',
    example: '/srv/page',
    otherwise: 'the page of this package',
  }),
  RPC_URL: variable(httpUrl, {
    description:
      'The Solana RPC that the server uses. The URL may contain an API key, because clients never see it.',
    example: 'https://rpc.example/?key=...',
    otherwise: '`rpcUrl` of `DEPLOYMENT_FILE`',
    secret: true,
  }),
  OTHER_RPC_URLS: variable(z._default(httpUrls, []), {
    description:
      'More RPCs. The server uses them when the first one does not respond or does not know an outcome.',
    expected: 'http or https URLs without a user name, separated by commas',
    example: 'https://other.example,https://third.example',
    otherwise: 'none',
    secret: true,
  }),
  PUBLIC_RPC_URL: variable(httpUrl, {
    description: 'The RPC URL that clients get.',
    example: 'https://api.devnet.solana.com',
    otherwise: '`rpcUrl` of `DEPLOYMENT_FILE`',
  }),
  VERIFIER_URL: variable(httpUrl, {
    description: 'Base URL of the external verifier, which opens verification sessions.',
    example: 'https://verifier.example',
    otherwise: '`verifierOrigins` of `DEPLOYMENT_FILE`, if it contains exactly one',
  }),
  VERIFIER_NAME: variable(z._default(nameField, 'main'), {
    description: 'Name of that verifier, by which a page can choose it.',
    expected: 'a name of at most 32 bytes',
    example: 'Example Verifier',
  }),
  WEBHOOK_SECRET: variable(webhookSecret, {
    description: 'The Standard Webhooks secret that the verifier shares with this server.',
    example: '`whsec_` and what `openssl rand -base64 32` prints',
    secret: true,
  }),
  PREVIOUS_WEBHOOK_SECRET: variable(z.optional(webhookSecret), {
    description: 'The old secret. Set it during a rotation, so that the server accepts both.',
    example: 'the previous value of `WEBHOOK_SECRET`',
    otherwise: 'none',
    secret: true,
  }),
  OTHER_VERIFIERS: variable(z._default(otherVerifiers, []), {
    description:
      'More verifiers, which `startVerification({ verifier })` names. Each has its own name and secret.',
    example: '`[{"name":"Second","url":"https://second.example","webhookSecret":"whsec_..."}]`',
    otherwise: 'none',
    secret: true,
  }),
  EVENTS_URL: variable(z.optional(exactHttpUrl), {
    description:
      'The URL that gets [events](../events.md) as webhooks. It may contain a key, because it is never shown.',
    example: 'https://receiver.example/webhooks',
    otherwise: 'no webhooks',
    secret: true,
  }),
  EVENTS_SECRET: variable(z.optional(webhookSecret), {
    description: 'The Standard Webhooks secret that signs events. Set it if and only if you set EVENTS_URL.',
    example: '`whsec_` and what `openssl rand -base64 32` prints',
    otherwise: 'none',
    secret: true,
  }),
  PREVIOUS_EVENTS_SECRET: variable(z.optional(webhookSecret), {
    description: 'The old secret of events. Set it during a rotation, so that both sign.',
    example: 'the previous value of `EVENTS_SECRET`',
    otherwise: 'none',
    secret: true,
  }),
  FEE_PAYER: variable(keypair, {
    description: 'The key that pays for credentials on chain. It cannot create any.',
    example: '`FEE_PAYER_FILE=/run/secrets/fee-payer.json`',
    secret: true,
  }),
  DATABASE_URL: variable(z.optional(z.url({ protocol: /^postgres(ql)?$/ })), {
    description: 'A PostgreSQL database, for any number of processes. Set either this or DATA_DIRECTORY.',
    expected: 'a postgres URL',
    example: 'postgres://service:password@db.example/service',
    otherwise: 'DATA_DIRECTORY',
    secret: true,
  }),
  DATA_DIRECTORY: variable(z.optional(z.string()), {
    description: 'Folder of PGlite, for one process. It survives a kill, but not a power failure.',
    expected: 'the path of a folder; the server creates it if it does not exist',
    example: '/var/lib/service/database',
    otherwise: 'DATABASE_URL',
  }),
  HOST: variable(z._default(z.string(), '127.0.0.1'), {
    description: 'Address to listen on.',
    expected: 'an address of this machine',
    example: '0.0.0.0',
  }),
  PORT: variable(z._default(wholeNumber(0, 65_535), 3000), {
    description: 'Port to listen on. 0 means any free port; the log line `listening` names it.',
    example: '8080',
  }),
  TRUSTED_PROXIES: variable(z._default(proxyRanges, []), {
    description:
      'Proxies whose X-Forwarded-For is trusted. Behind a proxy that is not listed, all visitors share one rate limit.',
    expected: 'addresses, ranges, `loopback`, `linklocal` or `uniquelocal`, separated by commas',
    example: '10.0.0.0/8,fd00::/8,192.0.2.7',
    otherwise: 'none',
  }),
  METRICS_PORT: variable(z.optional(wholeNumber(0, 65_535)), {
    description:
      'Port of `GET /metrics`, in the Prometheus format. 0 means any free port; the log line `listening` names it.',
    example: '9464',
    otherwise: 'no metrics',
  }),
  METRICS_HOST: variable(z._default(z.string(), '127.0.0.1'), {
    description:
      'Address of `METRICS_PORT`. Keep it private: whoever reaches it can read metrics and send events again.',
    expected: 'an address of this machine',
    example: '10.0.0.5',
  }),
  MAX_INDEX_LAG_SECONDS: variable(z._default(wholeNumber(1, 3_600), 60), {
    description: 'Seconds by which the index may lag behind the chain before reads return INDEX_STALE.',
    example: '30',
  }),
  MAX_PRIORITY_FEE_LAMPORTS: variable(
    z._default(wholeNumber(0, 1_000_000_000), Number(MAX_PRIORITY_FEE_LAMPORTS)),
    {
      description: 'The most lamports that an operation may pay for priority.',
      example: '100000',
    },
  ),
  WELCOME_LAMPORTS: variable(z._default(welcomeLamports, 0), {
    description:
      'Lamports that a wallet gets with its first credential, from `FEE_PAYER`, [once](#pay-for-the-first-steps). 5500000 are enough for a pass and a token account.',
    example: '5500000',
  }),
  WELCOME_DAILY_LAMPORTS: variable(z._default(wholeNumber(0, 1_000_000_000_000), 100_000_000), {
    description: 'The most lamports of all welcome payments in 24 hours. Later wallets then get none.',
    example: '1000000000',
  }),
  KEEPER_DAILY_LAMPORTS: variable(
    z._default(wholeNumber(0, 1_000_000_000_000), Number(KEEPER_DAILY_LAMPORTS)),
    {
      description:
        'The most lamports of the [keeper](#keep-gated-mints) in a day (UTC). With 0, it does nothing.',
      example: '500000000',
    },
  ),
  KEEPER_MINTS: variable(z.optional(addresses), {
    description: 'The gated mints that the keeper serves.',
    expected: 'base58 addresses, separated by commas',
    example: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
    otherwise: 'all',
  }),
  POLL_INTERVAL_MS: variable(z._default(wholeNumber(10, 60_000), POLL_INTERVAL_MS), {
    description: 'Milliseconds between two polls of the chain by the worker, the indexer and the issuer.',
    example: '400',
  }),
  LOG_LEVEL: variable(
    z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
    {
      description: 'The lowest level that is logged. Each request is a line at level info.',
      expected: 'fatal, error, warn, info, debug, trace or silent',
      example: 'warn',
    },
  ),
  START_SECONDS: variable(z._default(wholeNumber(1, 300), 10), {
    description:
      'Seconds within which every RPC must respond at the start. Otherwise the server does not start.',
    example: '30',
  }),
  DRAIN_SECONDS: variable(z._default(wholeNumber(0, 300), 0), {
    description:
      'Seconds after SIGTERM in which `GET /api/health/ready` fails while everything else works, so that a balancer notices. Then the shutdown begins.',
    example: '15',
  }),
  SHUTDOWN_SECONDS: variable(z._default(wholeNumber(0, 300), 10), {
    description:
      'Seconds that requests and background steps have to finish after SIGTERM and `DRAIN_SECONDS`.',
    example: '25',
  }),
});
