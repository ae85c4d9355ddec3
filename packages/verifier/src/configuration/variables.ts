/** Every variable of `npx @service/verifier`. Each provider has its own ones besides. */
import { httpUrl, keypair, list, variable, wholeNumber, withForm } from '@service/configuration';
import { addressField, describeIssue, genesisHashField, originField } from '@service/contract';
import { isProxyRange } from '@service/process';
import * as z from 'zod/mini';
import { parseJson } from '../parse-json.ts';
import { PROVIDER_KINDS } from '../providers/kinds.ts';
import { flag } from '../providers/variables.ts';
import { siteRecord } from '../sites/agreed-sites.ts';

const proxyRanges = z.pipe(list, z.array(z.string().check(z.refine(isProxyRange))));

const siteList = z.array(siteRecord).check(z.minLength(1));

/** JSON, because each site has several values. */
const sites = withForm(
  z.pipe(
    z.string(),
    z.transform((text, context) => {
      const parsed = z.safeParse(siteList, parseJson(text));
      if (parsed.success) return parsed.data;
      // The value has secrets, so only the place of the fault is shown.
      for (const issue of parsed.error.issues) {
        const message = `${issue.path.join('.')} ${describeIssue(issue)}`;
        context.issues.push({ code: 'custom', message, input: '' });
      }
      return z.NEVER;
    }),
  ),
  'JSON: a list of `{"origins": […], "webhookUrl": …, "webhookSecrets": […]}`',
);

const personKey = withForm(
  z.pipe(
    z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
    z.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
  ),
  'the base64 of 32 random bytes',
);

const secret = withForm(z.string().check(z.minLength(1)), 'a text that is not empty');

/** The variables of a verifier. */
export const verifierVariables = z.object({
  DEPLOYMENT_FILE: variable(z.optional(z.string()), {
    description: 'The deployment file of the service. It gives `PROGRAM` and `GENESIS_HASH` their defaults.',
    expected: 'the path of a deployment.json',
    example: '/etc/verifier/deployment.json',
    otherwise: 'none',
  }),
  PROGRAM: variable(addressField, {
    description: 'Address of the program that credentials are for.',
    expected: 'a base58 address',
    example: '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi',
    otherwise: '`program` of `DEPLOYMENT_FILE`',
  }),
  GENESIS_HASH: variable(genesisHashField, {
    description: 'Genesis hash of the cluster that credentials are for.',
    expected: 'the base58 of 32 bytes',
    example: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    otherwise: '`genesisHash` of `DEPLOYMENT_FILE`',
  }),
  ORIGIN: variable(originField, {
    description:
      'Origin of the pages of the verifier. The deployment file of the service pins it in `verifierOrigins`.',
    expected: 'an http or https origin without a path',
    example: 'https://verify.example',
  }),
  SITES: variable(sites, {
    description:
      'The services that were agreed on: the origins of their pages, where they get messages, and the shared secrets.',
    example:
      '[{"origins":["https://app.example"],"webhookUrl":"https://app.example/api/verifier/webhook","webhookSecrets":["whsec_…"]}]',
    secret: true,
  }),
  PROVIDER: variable(z.enum(Object.keys(PROVIDER_KINDS) as [string, ...string[]]), {
    description: 'Who checks people. Each provider has its own variables.',
    expected: Object.keys(PROVIDER_KINDS).join(', '),
    example: 'manual',
  }),
  POLICY_FILE: variable(z.optional(z.string()), {
    description:
      'The policy: what region and status mean, which documents are accepted, and how long a credential lasts.',
    expected: 'the path of a JSON file',
    example: '/etc/verifier/policy.json',
    otherwise: 'that of the provider `sandbox`; every other provider needs one',
  }),
  ALLOW_SANDBOX: variable(z._default(flag, false), {
    description: 'Whether decisions of test environments count. Never where passes have value.',
    example: 'true',
  }),
  ATTESTATION_KEY: variable(z.optional(keypair), {
    description: 'The key pair of the verifier authority, which signs credentials.',
    example: 'the file that `solana-keygen new` wrote, in `ATTESTATION_KEY_FILE`',
    otherwise: '`ATTESTATION_KEY_URL`',
    secret: true,
  }),
  ATTESTATION_KEY_URL: variable(z.optional(httpUrl), {
    description: 'A key service that signs in place of `ATTESTATION_KEY`.',
    example: 'https://keys.internal/sign',
    otherwise: '`ATTESTATION_KEY`',
  }),
  VERIFIER_AUTHORITY: variable(z.optional(addressField), {
    description: 'The address of the key of `ATTESTATION_KEY_URL`. Each of its signatures is verified.',
    expected: 'a base58 address',
    example: 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    otherwise: 'that of `ATTESTATION_KEY`',
  }),
  PERSON_KEY: variable(z.optional(personKey), {
    description: 'The key from which persons are derived. Never change it, and keep a copy.',
    example: 'the output of `openssl rand -base64 32`',
    otherwise: '`PERSON_KEY_URL`',
    secret: true,
  }),
  PERSON_KEY_URL: variable(z.optional(httpUrl), {
    description: 'A key service that computes HMAC-SHA256 in place of `PERSON_KEY`.',
    example: 'https://keys.internal/mac',
    otherwise: '`PERSON_KEY`',
  }),
  KEY_SERVICE_TOKEN: variable(z.optional(secret), {
    description: 'The bearer token of the key service.',
    example: 'a-long-random-text',
    otherwise: 'none',
    secret: true,
  }),
  DATABASE_URL: variable(z.optional(z.url({ protocol: /^postgres(ql)?$/ })), {
    description: 'PostgreSQL, for one or several processes.',
    expected: 'a postgres URL',
    example: 'postgres://verifier@localhost/verifier',
    otherwise: '`DATA_DIRECTORY`',
    secret: true,
  }),
  DATA_DIRECTORY: variable(z.optional(z.string()), {
    description: 'Folder of PGlite, for one process. It survives a kill, but not a power failure.',
    expected: 'the path of a folder; the verifier creates it if it does not exist',
    example: '/var/lib/verifier/database',
    otherwise: '`DATABASE_URL`',
  }),
  HOST: variable(z._default(z.string(), '127.0.0.1'), {
    description: 'Address to listen on.',
    expected: 'an IP address',
    example: '0.0.0.0',
  }),
  PORT: variable(z._default(wholeNumber(0, 65_535), 3001), {
    description: 'Port to listen on.',
    example: '3001',
  }),
  METRICS_PORT: variable(z.optional(wholeNumber(0, 65_535)), {
    description: 'Port of `/metrics` for Prometheus, on `HOST` 127.0.0.1.',
    example: '9465',
    otherwise: 'none',
  }),
  TRUSTED_PROXIES: variable(z._default(proxyRanges, []), {
    description: 'Proxies whose `X-Forwarded-For` counts for rate limits.',
    expected: 'addresses and ranges, separated by commas',
    example: '10.0.0.0/8',
  }),
  LOG_LEVEL: variable(z._default(z.enum(['trace', 'debug', 'info', 'warn', 'error']), 'info'), {
    description: 'The least important log lines to write.',
    expected: '`trace`, `debug`, `info`, `warn` or `error`',
    example: 'warn',
  }),
});
