import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook, webhookSecrets } from './standard-webhooks.ts';

const KEY = Buffer.from('a secret of the two of us, 32 by');
const secret = `whsec_${KEY.toString('base64')}`;
const now = 1_760_000_000_000;
const body = '{"type":"verification.completed"}';

function headersOf(overrides: Record<string, string | undefined> = {}): Headers {
  const headers = new Headers(signWebhook({ secret, id: 'msg_1', now, body }));
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}

describe('Standard Webhooks', () => {
  it('signs by the standard: base64 of HMAC-SHA256 over id.timestamp.body', () => {
    const mac = createHmac('sha256', KEY).update(`msg_1.1760000000.${body}`).digest('base64');
    expect(signWebhook({ secret, id: 'msg_1', now, body })).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1760000000',
      'webhook-signature': `v1,${mac}`,
    });
  });

  it('accepts an authentic message, also with signatures of other secrets and versions', () => {
    const headers = headersOf();
    expect(verifyWebhook({ secret, now, body, headers })).toEqual({ authentic: true, id: 'msg_1' });
    headers.set('webhook-signature', `v1a,xyz v1,AAAA ${headers.get('webhook-signature')}`);
    expect(verifyWebhook({ secret, now, body, headers })).toMatchObject({ authentic: true });
  });

  it('signs with two secrets during rotation, and accepts a message that is signed with either', () => {
    const next = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const both = new Headers(signWebhook({ secret: [next, secret], id: 'msg_1', now, body }));
    for (const one of [secret, next]) {
      const own = new Headers(signWebhook({ secret: one, id: 'msg_1', now, body }));
      expect(both.get('webhook-signature')).toContain(own.get('webhook-signature'));
      expect(verifyWebhook({ secret: one, now, body, headers: both })).toMatchObject({ authentic: true });
      const message = { secret: [next, secret], now, body, headers: own };
      expect(verifyWebhook(message)).toMatchObject({ authentic: true });
    }
    const verifier = { url: 'https://verifier.example', webhookSecret: next };
    expect(webhookSecrets(verifier)).toEqual([next]);
    expect(webhookSecrets({ ...verifier, previousWebhookSecret: secret })).toEqual([next, secret]);
  });

  const withHeader = (name: string, value?: string) => ({
    headers: headersOf({ [`webhook-${name}`]: value }),
  });
  it.each<[string, Partial<Parameters<typeof verifyWebhook>[0]>]>([
    ['a changed body', { body: `${body} ` }],
    ['another secret', { secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }],
    ['301 seconds late', { now: now + 301_000 }],
    ['301 seconds early', { now: now - 301_000 }],
    ['no id', withHeader('id')],
    ['no timestamp', withHeader('timestamp')],
    ['no signature', withHeader('signature')],
    ['an empty signature', withHeader('signature', 'v1,')],
    ['another id', withHeader('id', 'msg_2')],
    ['an id with a dot', withHeader('id', 'msg.1')],
    ['another timestamp', withHeader('timestamp', '1760000001')],
    ['a timestamp with a tail', withHeader('timestamp', '1760000000x')],
    ['a fractional timestamp', withHeader('timestamp', '1760000000.5')],
    ['a timestamp that is not a number', withHeader('timestamp', 'NaN')],
  ])('rejects %s', (_what, change) => {
    const message = { secret, now, body, headers: headersOf(), ...change };
    expect(verifyWebhook(message)).toMatchObject({ authentic: false });
  });

  it('accepts 300 seconds either way, by the given clock only', () => {
    for (const shift of [-300_000, 300_000]) {
      const message = { secret, now: now + shift, body, headers: headersOf() };
      expect(verifyWebhook(message)).toMatchObject({ authentic: true });
    }
  });
});
