import { describe, expect, it } from 'vitest';
import { VERIFF } from '../../test/providers/fake-veriff.ts';
import { FAKES } from '../../test/providers/fakes.ts';
import { type AdapterUnderTest, adapterOf, testAdapter } from '../../test/providers/test-adapter.ts';
import { ProviderError } from '../provider.ts';
import { veriff } from './veriff.ts';

const BODY = '{"status":"success","verification":{"id":"0b6f1c52","code":9001,"status":"approved"}}';
// printf '%s' "$BODY" | openssl dgst -sha256 -hmac current-shared-secret, and with another secret or body
const SIGNATURE = '7ec6e46bb89eef575fb8c082ab267a0c8d254b5cf45309ef2d113e5536e153ff';
const OF_PREVIOUS_SECRET = 'ae9bb07faaf7e929b837b06953ede99a909dcf2aea06b93c4b809cbfc12e6305';
const OF_EVENT = '9695bc85e7cee555272476710f88773177ce53354f8d7c4a090b82b7f02d89a1';
const OF_NO_SESSION = '80696b06ba6b876475189a78758afedf5cea7c18bab55107098dea9a0eb4a65d';
const OF_ID = '95d6269a35b16a02a9afea99a14378a5b238bd64cbb9656a554aa2895121c1f1';

function webhook(signature: string, body = BODY) {
  return { headers: { 'x-auth-client': VERIFF.key, 'x-hmac-signature': signature }, body };
}

const decided = (status: string, code: number) => ({
  'verification.status': status,
  'verification.code': code,
});

const under: AdapterUnderTest = {
  kind: veriff,
  ...FAKES.veriff,
  keyVariables: ['VERIFF_API_KEY', 'VERIFF_SHARED_SECRETS'],
  sandboxVariable: 'VERIFF_SANDBOX',
  secretsVariable: 'VERIFF_SHARED_SECRETS',
  // devdocs.veriff.com/docs/verification-session-status-codes-table, November 2026
  states: [
    ['approved with 9001 is approved', {}, 'approved'],
    ['declined is declined', decided('declined', 9102), 'declined'],
    ['resubmission_requested can be repeated', decided('resubmission_requested', 9103), 'retry'],
    ['expired can be repeated', decided('expired', 9104), 'retry'],
    ['abandoned can be repeated', decided('abandoned', 9104), 'retry'],
    ['abandoned with 9121 can be repeated', decided('abandoned', 9121), 'retry'],
    ['review is pending', decided('review', 9121), 'pending'],
    ['started is pending', decided('started', 7001), 'pending'],
    ['submitted is pending', decided('submitted', 7002), 'pending'],
    ['no decision is pending', { verification: null }, 'pending'],
    ['another status is pending', decided('toString', 9001), 'pending'],
  ],
  omissions: [
    [
      'with another kind of document has no kind',
      { 'verification.document.type': 'constructor' },
      ['documentType', 'personId'],
    ],
    [
      'without the number of the document has nothing to recognize',
      { 'verification.document.number': null },
      ['personId'],
    ],
    [
      'with a number of signs only has nothing to recognize',
      { 'verification.document.number': ' -/ ' },
      ['personId'],
    ],
    [
      'with an address on the document has no residence',
      { 'verification.person.addresses.0.parsedAddress.country': 'DE' },
      ['residence'],
    ],
  ],
  idPath: 'verification.id',
  hasTags: false,
  facts: {},
  webhooks: [
    ['about a decision', webhook(SIGNATURE), '0b6f1c52'],
    ['about an event', webhook(OF_EVENT, '{"id":"0b6f1c52","code":7002,"action":"submitted"}'), '0b6f1c52'],
    ['with the previous secret', webhook(OF_PREVIOUS_SECRET), '0b6f1c52'],
    ['about no session', webhook(OF_NO_SESSION, '{"status":"success"}'), null],
  ],
  forgeries: [
    ['with another body', webhook(SIGNATURE, BODY.replace('9001', '9102'))],
    ['without a signature', { headers: {}, body: BODY }],
    ['with an empty signature', webhook('')],
    ['with half a signature', webhook(SIGNATURE.slice(0, 32))],
    ['with the signature of the id alone', webhook(OF_ID)],
  ],
};

testAdapter(under);

describe('the API of Veriff', () => {
  it('gets a signature over the id', async () => {
    const calls: RequestInit[] = [];
    const adapter = adapterOf(under, 'https://stationapi.veriff.com', {}, async (_url, init) => {
      calls.push(init ?? {});
      return new Response('{"status":"success","verification":null}');
    });
    expect(await adapter.decision('0b6f1c52')).toMatchObject({ state: 'pending' });
    // printf 0b6f1c52 | openssl dgst -sha256 -hmac current-shared-secret
    expect(calls[0]?.headers).toMatchObject({ 'x-hmac-signature': OF_ID, 'x-auth-client': VERIFF.key });
  });

  it.each([
    ['approves with another code', { id: 'x', status: 'approved', code: 9102 }],
    ['approves without a code', { id: 'x', status: 'approved' }],
    ['has no status', { id: 'x', code: 9001 }],
    ['leaves the decision out', undefined],
    ['reports a failure', null, 'fail'],
  ])('that %s gives a ProviderError', async (_what, verification, status = 'success') => {
    const respond = async () => new Response(JSON.stringify({ status, verification }));
    const adapter = adapterOf(under, 'https://stationapi.veriff.com', {}, respond);
    await expect(adapter.decision('x')).rejects.toThrow(ProviderError);
  });
});
