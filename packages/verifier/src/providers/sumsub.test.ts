import { describe, expect, it } from 'vitest';
import { FAKES } from '../../test/providers/fakes.ts';
import { type AdapterUnderTest, adapterOf, testAdapter } from '../../test/providers/test-adapter.ts';
import { sumsub } from './sumsub.ts';

const BODY =
  '{"type":"applicantReviewed","externalUserId":"0b6f1c52","reviewResult":{"reviewAnswer":"GREEN"}}';
// printf '%s' "$BODY" | openssl dgst -sha256 -hmac current-webhook-secret, and with another secret, algorithm or body
const SHA256 = '4d3c12874d5b948f819d26faac089342455cd5cfe2b2ebab7bf13a2c10422124';
const SHA256_OF_PREVIOUS_SECRET = 'ac63cefc9bfc72787348347347934c9617e1b8da763e0bdfb7aa3383b1d2578b';
const SHA256_OF_NO_APPLICANT = '7d77022c56095cdfa1be5b68354403f6cea0a5b8f28ab7cdd48431e5d0c62cb3';
const SHA256_OF_NO_JSON = 'e661a5a026083a848d70d47030cfa476b5c1b26bb584c184d2515d10401f9fb6';
const SHA512 =
  '1583e1a264c4356ac0dc37dcac42aacb32aaf1b1186511e9709f1a099c8db3b2d1cbaae21bd9d992b86b2abe74610ee09ea8336264ba1d55a0b26862210bb79a';
const SHA1 = 'c7aaba64055d5ca9184cb920877ad4043752b657';

function webhook(digest: string, algorithm = 'HMAC_SHA256_HEX', body = BODY) {
  return { headers: { 'x-payload-digest': digest, 'x-payload-digest-alg': algorithm }, body };
}

function red(reviewRejectType: string | undefined) {
  return { 'review.reviewResult': { reviewAnswer: 'RED', reviewRejectType } };
}

const status = (reviewStatus: string) => ({ 'review.reviewStatus': reviewStatus });
const DOCUMENT = { idDocType: 'PASSPORT', country: 'ITA', number: '1', validUntil: '2040-01-01' };

const under: AdapterUnderTest = {
  kind: sumsub,
  ...FAKES.sumsub,
  keyVariables: ['SUMSUB_APP_TOKEN', 'SUMSUB_SECRET_KEY'],
  sandboxVariable: 'SUMSUB_SANDBOX',
  secretsVariable: 'SUMSUB_WEBHOOK_SECRETS',
  // docs.sumsub.com/docs/applicant-statuses, November 2026
  states: [
    ['completed with GREEN is approved', {}, 'approved'],
    ['completed with RED and FINAL is declined', red('FINAL'), 'declined'],
    ['completed with RED and RETRY can be repeated', red('RETRY'), 'retry'],
    ['completed with RED without a type is declined', red(undefined), 'declined'],
    ['a deactivated applicant is declined', { deleted: true }, 'declined'],
    ['an active applicant is approved', { deleted: false }, 'approved'],
    [
      'init in a later attempt is a reset',
      { ...status('init'), 'review.reviewResult': undefined, 'review.attemptCnt': 1 },
      'retry',
    ],
    ['init with an answer is a reset', status('init'), 'retry'],
    ['pending is pending', status('pending'), 'pending'],
    ['prechecked is pending', status('prechecked'), 'pending'],
    ['queued is pending', status('queued'), 'pending'],
    ['onHold with GREEN is pending', status('onHold'), 'pending'],
    ['awaitingService with GREEN is pending', status('awaitingService'), 'pending'],
    ['awaitingUser is pending', status('awaitingUser'), 'pending'],
  ],
  omissions: [
    [
      'whose identity step is not approved has no facts',
      { 'IDENTITY.reviewResult.reviewAnswer': 'RED' },
      ['birthDate', 'nationality', 'residence', 'documentType', 'personId'],
    ],
    [
      'whose proof of address is not approved has no residence',
      { 'PROOF_OF_RESIDENCE.reviewResult.reviewAnswer': 'RED' },
      ['residence'],
    ],
    [
      'with two documents that fit has none',
      { 'info.idDocs': [DOCUMENT, { ...DOCUMENT, number: '2' }] },
      ['documentExpires', 'personId'],
    ],
    [
      'whose approved document is another one has no number',
      { 'info.idDocs': [{ ...DOCUMENT, country: 'DEU' }] },
      ['documentExpires', 'personId'],
    ],
    [
      'with another kind of document has no kind',
      { 'IDENTITY.idDocType': 'toString' },
      ['documentType', 'personId'],
    ],
  ],
  idPath: 'externalUserId',
  hasTags: true,
  facts: { residence: 'FR' },
  webhooks: [
    ['with SHA-256', webhook(SHA256), '0b6f1c52'],
    ['with SHA-512', webhook(SHA512, 'HMAC_SHA512_HEX'), '0b6f1c52'],
    ['with the previous secret', webhook(SHA256_OF_PREVIOUS_SECRET), '0b6f1c52'],
    ['about no applicant', webhook(SHA256_OF_NO_APPLICANT, undefined, '{"type":"applicantReviewed"}'), null],
    ['without JSON', webhook(SHA256_OF_NO_JSON, undefined, 'no JSON'), null],
  ],
  forgeries: [
    ['with another body', webhook(SHA256, undefined, BODY.replace('GREEN', 'RED'))],
    ['with a space after the body', webhook(SHA256, undefined, `${BODY} `)],
    ['without headers', { headers: {}, body: BODY }],
    ['with an empty digest', webhook('')],
    ['with half a digest', webhook(SHA256.slice(0, 32))],
    ['with another digest', webhook('f'.repeat(64))],
    ['with SHA-1', webhook(SHA1, 'HMAC_SHA1_HEX')],
    ['with the digest of another algorithm', webhook(SHA256, 'HMAC_SHA512_HEX')],
    ['with an unknown algorithm', webhook(SHA256, 'toString')],
  ],
};

testAdapter(under);

describe('the API of Sumsub', () => {
  it('gets a signature over time, method, path and body', async () => {
    const calls: RequestInit[] = [];
    const adapter = adapterOf(under, 'https://api.sumsub.com', {}, async (_url, init) => {
      calls.push(init ?? {});
      return new Response('{"url":"https://in.sumsub.com/websdk/p/x"}');
    });
    await adapter.start({ reference: 'ref-1', returnUrl: 'https://bridge.example/return' });
    expect(calls[0]?.body).toBe(
      '{"levelName":"basic-kyc-level","userId":"ref-1","ttlInSecs":86400,"redirect":{"successUrl":"https://bridge.example/return","rejectUrl":"https://bridge.example/return"}}',
    );
    // printf '%s' "1795834800POST/resources/sdkIntegrations/levels/-/websdkLink$BODY" | openssl dgst -sha256 -hmac secret-key-of-the-app
    expect(calls[0]?.headers).toMatchObject({
      'x-app-access-ts': '1795834800',
      'x-app-access-sig': 'b97f3d5ac0f34e153a71a13ea2581ba9562b9747f68faef3d53a44cfe849bbab',
    });
  });

  it('with a token of the sandbox gives decisions of the sandbox, whatever the variable says', async () => {
    const missing = async () => new Response('{}', { status: 404 });
    const adapter = adapterOf(under, 'https://api.sumsub.com', { SUMSUB_APP_TOKEN: 'sbx:t' }, missing);
    expect(await adapter.decision('x')).toMatchObject({ state: 'pending', sandbox: true });
  });
});
