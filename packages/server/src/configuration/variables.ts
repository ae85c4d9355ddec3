/** Every variable of `npm run serve`: its schema and its documentation in docs/configuration.md. */
import { artifactsDirectory } from '@service/circuit';
import { addressField, genesisHashField, hexField, originField } from '@service/contract';
import * as z from 'zod/mini';
import { httpUrl, httpUrls, keypair, proxyRanges, wholeNumber } from './fields.ts';
import { variable } from './read-variables.ts';

const WEBHOOK_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The variables of a server. */
export const serverVariables = z.object({
  DEPLOYMENT_FILE: variable(z.optional(z.string()), {
    description: 'The file that `npm run deploy` wrote. It replaces the variables whose default names it.',
    expected: 'the path of a deployment.json',
    example: '/etc/service/deployment.json',
    otherwise: 'none',
  }),
  ORIGIN: variable(originField, {
    description:
      'Origin of the site. The server accepts POST requests from this origin only, and wallets sign in to it.',
    expected: 'an http or https origin without a path',
    example: 'https://app.example',
    otherwise: '`baseUrl` of `DEPLOYMENT_FILE`',
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
    example: 'the digest that `npm run deploy` prints',
    otherwise: '`artifactsDigest` of `DEPLOYMENT_FILE`',
  }),
  ARTIFACTS_DIRECTORY: variable(z._default(z.string(), artifactsDirectory), {
    description: 'Folder of the proof artifacts: `manifest.json` and the files that it lists.',
    expected: 'the path of a folder',
    example: '/srv/artifacts',
    otherwise: 'the committed artifacts',
  }),
  RPC_URL: variable(httpUrl, {
    description:
      'URL of the Solana RPC that the server uses. It may contain an API key: clients never see it.',
    expected: 'an http or https URL without a user name',
    example: 'https://rpc.example/?key=...',
    otherwise: '`rpcUrl` of `DEPLOYMENT_FILE`',
    secret: true,
  }),
  OTHER_RPC_URLS: variable(z._default(httpUrls, []), {
    description:
      'More RPCs, which the server asks when the first does not respond or cannot establish an outcome.',
    expected: 'http or https URLs without a user name, separated by commas',
    example: 'https://other.example,https://third.example',
    otherwise: 'none',
    secret: true,
  }),
  PUBLIC_RPC_URL: variable(httpUrl, {
    description: 'URL of the RPC that clients use.',
    expected: 'an http or https URL without a user name',
    example: 'https://api.devnet.solana.com',
    otherwise: '`rpcUrl` of `DEPLOYMENT_FILE`',
  }),
  VERIFIER_URL: variable(httpUrl, {
    description: 'Base URL of the external verifier, which opens verification sessions.',
    expected: 'an http or https URL without a user name',
    example: 'https://verifier.example',
    otherwise: '`verifierOrigins` of `DEPLOYMENT_FILE`, when it has one entry',
  }),
  WEBHOOK_SECRET: variable(z.string().check(z.regex(WEBHOOK_SECRET)), {
    description: 'The Standard Webhooks secret that the verifier shares with this server.',
    expected: '`whsec_` and the base64 of at least 24 bytes',
    example: '`whsec_` and what `openssl rand -base64 32` prints',
    secret: true,
  }),
  PREVIOUS_WEBHOOK_SECRET: variable(z.optional(z.string().check(z.regex(WEBHOOK_SECRET))), {
    description: 'The old secret, which is also accepted while the verifier changes to the new one.',
    expected: '`whsec_` and the base64 of at least 24 bytes',
    example: 'the old value of `WEBHOOK_SECRET`',
    otherwise: 'none',
    secret: true,
  }),
  FEE_PAYER: variable(keypair, {
    description: 'The key that pays for putting credentials on chain. It cannot sign credentials.',
    expected: 'the JSON list of 64 bytes that solana-keygen writes',
    example: '`FEE_PAYER_FILE=/run/secrets/fee-payer.json`',
    secret: true,
  }),
  DATABASE_URL: variable(z.optional(z.url({ protocol: /^postgres(ql)?$/ })), {
    description: 'PostgreSQL database, for any number of processes. Set either this or DATA_DIRECTORY.',
    expected: 'a postgres URL',
    example: 'postgres://service:password@db.example/service',
    otherwise: 'DATA_DIRECTORY',
    secret: true,
  }),
  DATA_DIRECTORY: variable(z.optional(z.string()), {
    description: 'Folder of a PGlite database, for one process. It survives a kill but not a power cut.',
    expected: 'the path of a folder, which is created when it is missing',
    example: '/var/lib/service/database',
    otherwise: 'DATABASE_URL',
  }),
  HOST: variable(z._default(z.string(), '127.0.0.1'), {
    description: 'Address to listen on.',
    expected: 'an address of this machine',
    example: '0.0.0.0',
  }),
  PORT: variable(z._default(wholeNumber(0, 65_535), 3000), {
    description: 'Port to listen on. 0 takes a free port; the log line `listening` has it.',
    expected: 'a whole number from 0 to 65535',
    example: '8080',
  }),
  TRUSTED_PROXIES: variable(z._default(proxyRanges, []), {
    description:
      'Proxies whose X-Forwarded-For header is trusted. Behind a proxy that is not listed, all visitors share one rate limit.',
    expected: 'addresses or ranges separated by commas, or `loopback`, `linklocal`, `uniquelocal`',
    example: '10.0.0.0/8,fd00::/8,192.0.2.7',
    otherwise: 'none',
  }),
  METRICS_PORT: variable(z.optional(wholeNumber(0, 65_535)), {
    description:
      'Port of `GET /metrics` in Prometheus format. 0 takes a free port; the log line `listening` has it.',
    expected: 'a whole number from 0 to 65535',
    example: '9464',
    otherwise: 'no metrics',
  }),
  METRICS_HOST: variable(z._default(z.string(), '127.0.0.1'), {
    description: 'Address to serve metrics on. Metrics are for the operator and need no sign-in.',
    expected: 'an address of this machine',
    example: '10.0.0.5',
  }),
  MAX_INDEX_LAG_SECONDS: variable(z._default(wholeNumber(1, 3_600), 60), {
    description: 'Seconds by which the index may lag behind the chain before reads return INDEX_STALE.',
    expected: 'a whole number from 1 to 3600',
    example: '30',
  }),
  POLL_INTERVAL_MS: variable(z._default(wholeNumber(10, 60_000), 1_000), {
    description: 'Milliseconds between two steps of the worker, the indexer and the issuer.',
    expected: 'a whole number from 10 to 60000',
    example: '400',
  }),
  LOG_LEVEL: variable(
    z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
    {
      description: 'Lowest level that is logged. Each request is a line at info.',
      expected: 'fatal, error, warn, info, debug, trace or silent',
      example: 'warn',
    },
  ),
  START_SECONDS: variable(z._default(wholeNumber(1, 300), 10), {
    description:
      'Seconds that each RPC has to respond at start-up. The server does not start when one does not.',
    expected: 'a whole number from 1 to 300',
    example: '30',
  }),
  SHUTDOWN_SECONDS: variable(z._default(wholeNumber(0, 300), 10), {
    description: 'Seconds that requests and background steps in progress have to finish after SIGTERM.',
    expected: 'a whole number from 0 to 300',
    example: '25',
  }),
});
