/** Checks docs/verifiers.md: independent code makes its examples, and the service accepts them. */
import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ERROR_CODES,
  errorCodesOf,
  MAX_BODY_BYTES,
  regionIndexOf,
  statusIndexOf,
  VERIFICATION_SESSION_LIFETIME_SECONDS,
  WEBHOOK_TOLERANCE_SECONDS,
  type WebhookRequest,
  webhookRequest,
} from '@service/contract';
import { verifyWebhook } from '@service/contract/verifier';
import {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  credentialMessage,
  MAX_CREDENTIAL_AGE_SECONDS,
  revocationMessage,
} from '@service/protocol';
import { commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import { readCredentialClaim, readRevocationClaim } from '@service/server/claims';
import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

const page = readFileSync(join(import.meta.dirname, '../../docs/verifiers.md'), 'utf8');
const textOf = (pattern: RegExp) => pattern.exec(page)?.[1] ?? '';
const secret = textOf(/webhook secret `(whsec_[^`]+)`/);
const authority = address(textOf(/authority `(\w+)`/));
const program = address(textOf(/program `(\w+)`/));
const genesisHash = textOf(/cluster `(\w+)`/);

/** The messages of the page. */
const messages = [...page.matchAll(/```text\nPOST \S+\n(.*?)\n\n(.*?)\n```/gs)].map(([, lines, body]) => ({
  headers: new Headers(lines!.split('\n').map((line) => line.split(': ') as [string, string])),
  body: body!,
}));
const events = messages.map(({ body }) => z.decode(webhookRequest, JSON.parse(body)));

/** Returns the data of the page's message of a type. */
function dataOf<T extends WebhookRequest['type']>(type: T) {
  const event = events.find((each) => each.type === type);
  if (!event) throw new Error(`the page has no ${type}`);
  return event.data as Extract<WebhookRequest, { type: T }>['data'];
}

/** Signs with the key of the page. Returns the ed25519 signature in base64. */
function signed(bytes: Uint8Array): string {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 1)]);
  return sign(null, bytes, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })).toString('base64');
}

describe('an example', () => {
  test.each(messages)('is authentic, by the formula of the page and by the service', ({ headers, body }) => {
    const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headers.get('webhook-signature')).toBe(`v1,${mac}`);
    const now = Number(timestamp) * 1_000;
    expect(verifyWebhook({ secret, now, body, headers })).toEqual({ authentic: true, id });
  });

  test('of a credential has the commitment and the signature that the page describes', () => {
    const data = dataOf('verification.completed');
    const attributes = {
      region: regionIndexOf('JP')!,
      status: statusIndexOf('professional')!,
      birthDate: parseBirthDate('1984-02-29'),
      salt: 271828182845904523536028747135266249775724709369995957496696762n,
      person: 314159265358979323846264338327950288419716939937510582097494459n,
    };
    const commitment = fieldToBytes(commitmentOf(attributes));
    expect(data.commitment).toBe(Buffer.from(commitment).toString('hex'));
    expect(page).toContain(
      'JP, professional, born on 1984-02-29, with the salt 271828182845904523536028747135266249775724709369995957496696762 and the person 314159265358979323846264338327950288419716939937510582097494459',
    );
    const bytes = credentialMessage({ ...data, program, genesisHash, commitment });
    const hex = textOf(/```text\n([0-9a-f\n]+?)\n```/s).replaceAll('\n', '');
    expect(hex).toBe(Buffer.from(bytes).toString('hex'));
    expect(data.signature).toBe(signed(bytes));
    const facts = { program, genesisHash, authorities: [authority], chainTime: data.issuedAt };
    expect(readCredentialClaim(data, facts)).toMatchObject({ verifierAuthority: authority });
  });

  test('of a revocation has the signature that the page describes', () => {
    const data = dataOf('credential.revoked');
    const { wallet, revokedAt } = data;
    expect(data.signature).toBe(signed(revocationMessage({ program, genesisHash, wallet, revokedAt })));
    const facts = { program, genesisHash, authorities: [authority], chainTime: revokedAt };
    expect(readRevocationClaim(data, facts)).toMatchObject({ verifierAuthority: authority });
    expect(wallet).toBe(dataOf('verification.completed').wallet);
  });
});

test('the page lists every type and its fields', () => {
  const rows = [...page.matchAll(/^\| `(\w+\.\w+)` \| ([^|]+) \|/gm)].map(
    ([, type, fields]) => [type, [...fields!.matchAll(/`(\w+)`/g)].map(([, field]) => field)] as const,
  );
  const { options } = webhookRequest.def;
  const schemas = options.map(({ shape }) => [shape.type.def.values[0], Object.keys(shape.data.shape)]);
  expect(rows).toEqual(schemas);
});

test('the page lists every code of the webhook with its status', () => {
  const listed = [...page.matchAll(/(\d{3}) `([A-Z_]+)`/g)].map(([, status, code]) => `${code} ${status}`);
  const codes = errorCodesOf('webhook').map((code) => `${code} ${ERROR_CODES[code].status}`);
  expect(listed.sort()).toEqual(codes.sort());
});

test('the numbers on the page match the code', () => {
  const bytes = MAX_BODY_BYTES.toLocaleString('en');
  expect(page).toContain(`at most ${bytes} bytes`);
  expect(page).toContain(`within ${WEBHOOK_TOLERANCE_SECONDS} seconds of the service's clock`);
  expect(page).toContain(`more than ${WEBHOOK_TOLERANCE_SECONDS} seconds after the session's end`);
  const skew = `at most ${CREDENTIAL_CLOCK_SKEW_SECONDS} seconds ahead of the chain's time`;
  expect(page.split(skew)).toHaveLength(3);
  expect(page).toContain('at most 3 * 366 days');
  expect(MAX_CREDENTIAL_AGE_SECONDS).toBe(3n * 366n * 86_400n);
  expect(VERIFICATION_SESSION_LIFETIME_SECONDS).toBe(3_600);
});
