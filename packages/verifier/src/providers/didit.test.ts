import { describe, expect, it } from 'vitest';
import { DIDIT } from '../../test/providers/fake-didit.ts';
import { FAKES } from '../../test/providers/fakes.ts';
import { type AdapterUnderTest, adapterOf, testAdapter } from '../../test/providers/test-adapter.ts';
import { didit } from './didit.ts';

/** A session with a time, and its signature: printf '%s' "$BODY" | openssl dgst -sha256 -hmac current-webhook-secret */
function webhook(body: string, signature: string, headers: Record<string, string> = {}) {
  return { headers: { 'x-signature': signature, 'x-timestamp': '1795834800', ...headers }, body };
}

const BODY = '{"session_id":"0b6f1c52","status":"Approved","timestamp":1795834800}';
const SIGNATURE = '01933474e6ed419088c73325eeb733ce733232f6fb0bb2cfcc7d39c1fae4651d';
const OF_PREVIOUS_SECRET = 'a56894fc7f3c965b5a7d70b3cae11e18cdf040165e2678319103d7711b2123e4';
const at = (timestamp: string, signature: string) =>
  webhook(`{"session_id":"0b6f1c52","timestamp":${timestamp}}`, signature);
const DOCUMENT = {
  status: 'Approved',
  document_type: 'Passport',
  issuing_state: 'ITA',
  document_number: '1',
};
const status = (text: string) => ({ status: text });

const under: AdapterUnderTest = {
  kind: didit,
  ...FAKES.didit,
  keyVariables: ['DIDIT_API_KEY'],
  secretsVariable: 'DIDIT_WEBHOOK_SECRETS',
  // docs.didit.me/integration/verification-statuses, November 2026
  states: [
    ['Approved is approved', {}, 'approved'],
    ['Declined is declined', status('Declined'), 'declined'],
    ['Not Started is pending', status('Not Started'), 'pending'],
    ['In Progress is pending', status('In Progress'), 'pending'],
    ['In Review is pending', status('In Review'), 'pending'],
    ['Awaiting User is pending', status('Awaiting User'), 'pending'],
    ['Resubmitted can be repeated', status('Resubmitted'), 'retry'],
    ['Expired can be repeated', status('Expired'), 'retry'],
    ['Abandoned can be repeated', status('Abandoned'), 'retry'],
    ['Kyc Expired can be repeated', status('Kyc Expired'), 'retry'],
    ['another status is pending', status('toString'), 'pending'],
  ],
  omissions: [
    [
      'whose document is not approved has no facts',
      { 'id_verifications.0.status': 'In Review' },
      ['birthDate', 'nationality', 'documentType', 'personId'],
    ],
    [
      'whose proof of address is not approved has no residence',
      { 'poa_verifications.0.status': 'Declined' },
      ['residence'],
    ],
    [
      'without a document that somebody saw has no facts',
      { 'id_verifications.0.verification_method': 'id_lookup' },
      ['birthDate', 'nationality', 'residence', 'documentType', 'personId'],
    ],
    [
      'with two approved documents has none',
      { id_verifications: [DOCUMENT, DOCUMENT] },
      ['documentType', 'documentCountry', 'personId'],
    ],
    [
      'with another kind of document has no kind',
      { 'id_verifications.0.document_type': 'constructor' },
      ['documentType', 'personId'],
    ],
  ],
  idPath: 'session_id',
  hasTags: false,
  facts: { residence: 'FR' },
  webhooks: [
    ['of now', webhook(BODY, SIGNATURE), '0b6f1c52'],
    ['with the previous secret', webhook(BODY, OF_PREVIOUS_SECRET), '0b6f1c52'],
    [
      'of 300 seconds ago',
      at('1795834500', 'b6ae84eb6a2b26239964b309d5a7882ec50e01ceafce2d2e0d94b8bc0fd2398a'),
      '0b6f1c52',
    ],
    [
      'of 300 seconds later',
      at('1795835100', '4f906346f76602760b4631a0d28f876e77b12c521a28ea8562ca5d38a6f49ee5'),
      '0b6f1c52',
    ],
    [
      'about no session',
      webhook(
        '{"webhook_type":"user.status.updated","timestamp":1795834800}',
        'dea29a4e3a07d1b1346c3143f1d99a1848abaf8e83113be256e05c52d2d8d2d3',
      ),
      null,
    ],
  ],
  forgeries: [
    ['with another body', webhook(BODY.replace('Approved', 'Declined'), SIGNATURE)],
    ['without a signature', { headers: {}, body: BODY }],
    ['with an empty signature', webhook(BODY, '')],
    ['with half a signature', webhook(BODY, SIGNATURE.slice(0, 32))],
    ['signed only in its normal form', webhook(BODY, '', { 'x-signature-v2': SIGNATURE })],
    [
      'of 301 seconds ago',
      at('1795834499', 'eeec0e6a3f525ffeadf20a086587dfd66f410d066ed78713b076c317b435d9d4'),
    ],
    [
      'of 301 seconds later',
      at('1795835101', 'b494f1953beed2f1dc4eff7d351bc83b9adb6cf9844b5976b9747a8f69f6d1a3'),
    ],
    [
      'whose time is text',
      at('"1795834800"', '849fddebb7241faa825710a05bb638aec2ee6fe3ba70d4616a853c508026ac1a'),
    ],
    [
      'whose time is only in a header',
      webhook(
        '{"session_id":"0b6f1c52"}',
        '51832c929b910058687d4c4bb2f7fcab8f0a09bfecb696d9d9189a0ddbd3084b',
      ),
    ],
  ],
};

testAdapter(under);

describe('the API of Didit', () => {
  it.each([['sandbox'], ['LIVE'], [''], [undefined], [null], [true], [['live']]])(
    'that gives %j as the environment gives decisions of a sandbox',
    async (environment) => {
      const session = { session_id: 'x', status: 'Approved', workflow_id: DIDIT.workflow, environment };
      const respond = async () => new Response(JSON.stringify(session));
      const adapter = adapterOf(under, 'https://verification.didit.me', {}, respond);
      expect(await adapter.decision('x')).toMatchObject({ state: 'approved', sandbox: true });
    },
  );
});
