import { signWebhook } from '@service/contract/verifier';
import { expect, test } from 'vitest';
import { readSession, type Site, siteRecord } from './agreed-sites.ts';

const NOW = 1_760_000_000_000;
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const PROGRAM = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
const GENESIS = '7aoLxDpQmAjeLPnuEdSA5DRsyy9Mb4WQbkCPkB6LUY6b';
const site: Site = {
  origins: ['https://app.example', 'https://www.app.example'],
  webhookUrl: 'https://app.example/api/verifier/webhook',
  webhookSecrets: [secretOf(1), secretOf(2)],
};
const other: Site = {
  origins: ['https://other.example'],
  webhookUrl: 'https://other.example/api/verifier/webhook',
  webhookSecrets: [secretOf(3)],
};
const request = {
  sessionId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  wallet: 'G9Zn33KveVeTKuYBWE2VAABD5ReVbJsBGNsFoaewoRoB',
  returnUrl: 'https://app.example/verified?step=2',
  siteOrigin: 'https://app.example',
  webhookUrl: site.webhookUrl,
  program: PROGRAM,
  genesisHash: GENESIS,
  expiresAt: String(NOW / 1000 + 3_600),
};

function open(changes: Record<string, unknown> = {}, secret = secretOf(1), now = NOW) {
  const body = JSON.stringify({ ...request, ...changes });
  const headers = new Headers(signWebhook({ secret, id: 'msg_1', now: NOW, body }));
  const signedFor = { program: PROGRAM as never, genesisHash: GENESIS };
  return readSession({ body, headers, now }, { sites: [other, site], signedFor });
}

test('accepts a session of an agreed site, signed with either of its secrets', () => {
  for (const secret of site.webhookSecrets) expect(open({}, secret)).toMatchObject({ site });
  const www = { siteOrigin: 'https://www.app.example', returnUrl: 'https://www.app.example/' };
  expect(open(www)).toMatchObject({ site, session: { wallet: request.wallet } });
});

test.each<[string, Record<string, unknown>, string]>([
  [
    'another origin',
    { siteOrigin: 'https://evil.example', returnUrl: 'https://evil.example/' },
    'siteOrigin',
  ],
  [
    'the site of another service',
    { siteOrigin: other.origins[0], returnUrl: 'https://other.example/', webhookUrl: other.webhookUrl },
    'siteOrigin',
  ],
  ['a return URL of another site', { returnUrl: 'https://evil.example/' }, 'returnUrl'],
  ['a return URL of another agreed origin', { returnUrl: 'https://www.app.example/' }, 'returnUrl'],
  ['a return URL with a fragment', { returnUrl: 'https://app.example/#witness=x' }, 'returnUrl'],
  ['a webhook in the internal network', { webhookUrl: 'http://169.254.169.254/latest' }, 'webhookUrl'],
  ['another path of the webhook', { webhookUrl: `${site.webhookUrl}/x` }, 'webhookUrl'],
  ['another program', { program: request.wallet }, 'program'],
  ['another cluster', { genesisHash: PROGRAM }, 'genesisHash'],
  ['a session that has expired', { expiresAt: String(NOW / 1000) }, 'expiresAt'],
  ['no wallet', { wallet: undefined }, 'malformed'],
])('rejects %s', (_what, changes, reason) => {
  expect(open(changes)).toMatchObject({ status: 400, reason: expect.stringContaining(reason) });
});

test('rejects another secret, and an old request', () => {
  expect(open({}, secretOf(9))).toMatchObject({ status: 401 });
  expect(open({}, secretOf(3))).toMatchObject({ status: 400 });
  expect(open({}, secretOf(1), NOW + 301_000)).toMatchObject({ status: 401 });
});

test.each([
  ['no origin', { origins: [] }],
  ['an origin with a path', { origins: ['https://app.example/path'] }],
  ['a webhook URL of a file', { webhookUrl: 'file:///etc/passwd' }],
  ['no secret', { webhookSecrets: [] }],
  ['an empty secret', { webhookSecrets: ['whsec_'] }],
  ['a short secret', { webhookSecrets: ['whsec_c2hvcnQ='] }],
  ['an unknown field', { anyOrigin: true }],
])('an agreement with %s is rejected', (_what, changes) => {
  expect(siteRecord.safeParse(site).success).toBe(true);
  expect(siteRecord.safeParse({ ...site, ...changes }).success).toBe(false);
});
