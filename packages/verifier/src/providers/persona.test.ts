import { describe, expect, it } from 'vitest';
import { PERSONA } from '../../test/providers/fake-persona.ts';
import { FAKES } from '../../test/providers/fakes.ts';
import { type AdapterUnderTest, adapterOf, testAdapter } from '../../test/providers/test-adapter.ts';
import { persona } from './persona.ts';

const BODY =
  '{"data":{"type":"event","attributes":{"name":"inquiry.approved","payload":{"data":{"type":"inquiry","id":"inq_0b6f1c52"}}}}}';
// printf '%s' "1795834800.$BODY" | openssl dgst -sha256 -hmac current-webhook-secret, and with another secret, time or body
const V1 = 'a8d6e1be200125a8bb3a4a3e80c8b2d11d08c9b4bc92711763f99abd2984b6fd';
const V1_OF_PREVIOUS_SECRET = 'b4e756ea7c4f1514f4a3768bfa3bf5c4cec7a14a31aa043fa0aec954b9b4075a';
const V1_WITHOUT_DOT = '7c846f44d25432941def2446306c0debce358f6d33b0b465e647a1503642ffa9';
const V1_WITHOUT_TIME = '519c871aaa22c0dc332d41c654276adfddb379232588a8fd496d25ace342742d';
const V1_OF_ACCOUNT = '63ab1ee8f05fab257d6c4797542578aae5d13ea669d40b781f96fcf921c99484';
const OTHER = 'f'.repeat(64);
const NOW = 1795834800;

function webhook(signature: string, body = BODY) {
  return { headers: { 'persona-signature': signature }, body };
}

const status = (text: string) => ({ 'data.attributes.status': text });
const DOCUMENT = {
  type: 'verification/government-id',
  attributes: { status: 'passed', 'id-class': 'pp', 'country-code': 'IT', 'identification-number': '1' },
};

const under: AdapterUnderTest = {
  kind: persona,
  ...FAKES.persona,
  keyVariables: ['PERSONA_API_KEY'],
  sandboxVariable: 'PERSONA_SANDBOX',
  secretsVariable: 'PERSONA_WEBHOOK_SECRETS',
  // docs.withpersona.com/model-lifecycle, November 2026
  states: [
    ['approved is approved', {}, 'approved'],
    ['declined is declined', status('declined'), 'declined'],
    ['failed is declined', status('failed'), 'declined'],
    ['expired can be repeated', status('expired'), 'retry'],
    ['created is pending', status('created'), 'pending'],
    ['pending is pending', status('pending'), 'pending'],
    ['completed is pending', status('completed'), 'pending'],
    ['needs_review is pending', status('needs_review'), 'pending'],
    ['another status is pending', status('toString'), 'pending'],
  ],
  omissions: [
    [
      'whose document did not pass has no facts',
      { 'included.0.attributes.status': 'failed' },
      ['birthDate', 'nationality', 'documentType', 'personId'],
    ],
    [
      'with two documents has none',
      { included: [DOCUMENT, DOCUMENT] },
      ['documentType', 'documentCountry', 'personId'],
    ],
    [
      'with another kind of document has no kind',
      { 'included.0.attributes.id-class': 'constructor' },
      ['documentType', 'personId'],
    ],
    [
      'with an address that was typed has no residence',
      { 'data.attributes.fields.address-country-code.value': 'DE' },
      ['residence'],
    ],
  ],
  idPath: 'data.id',
  hasTags: true,
  facts: {},
  webhooks: [
    ['about an inquiry', webhook(`t=${NOW},v1=${V1}`), 'inq_0b6f1c52'],
    ['with the previous secret', webhook(`t=${NOW},v1=${V1_OF_PREVIOUS_SECRET}`), 'inq_0b6f1c52'],
    ['during a rotation', webhook(`t=${NOW},v1=${OTHER} t=${NOW},v1=${V1}`), 'inq_0b6f1c52'],
    [
      'of 300 seconds ago',
      webhook('t=1795834500,v1=75a66de5a330d1f73fbdd95adc80f55d4b1bfe6aac14d8c106c6b8909f3b7600'),
      'inq_0b6f1c52',
    ],
    [
      'of 300 seconds later',
      webhook('t=1795835100,v1=07632b7014a619b7f7dc8feaaf81ad529cfcddca95437f985f24ea882c08b3cb'),
      'inq_0b6f1c52',
    ],
    [
      'about an account',
      webhook(
        `t=${NOW},v1=${V1_OF_ACCOUNT}`,
        '{"data":{"attributes":{"payload":{"data":{"type":"account","id":"act_1"}}}}}',
      ),
      null,
    ],
  ],
  forgeries: [
    ['with another body', webhook(`t=${NOW},v1=${V1}`, BODY.replace('approved', 'declined'))],
    ['with another time', webhook(`t=${NOW + 1},v1=${V1}`)],
    ['without a signature', { headers: {}, body: BODY }],
    ['with an empty signature', webhook(`t=${NOW},v1=`)],
    ['with half a signature', webhook(`t=${NOW},v1=${V1.slice(0, 32)}`)],
    ['without a time', webhook(`v1=${V1_WITHOUT_TIME}`)],
    ['with an empty time', webhook(`t=,v1=${V1_WITHOUT_TIME}`)],
    ['signed without the dot', webhook(`t=${NOW},v1=${V1_WITHOUT_DOT}`)],
    [
      'of 301 seconds ago',
      webhook('t=1795834499,v1=c0adecb60633eda52996d61498c787bd19ee901f170d55218633537f9c7ffe0d'),
    ],
    [
      'of 301 seconds later',
      webhook('t=1795835101,v1=513b18642f37590f4e803ddbf2bcd640fd15723b299495b4faf25154e2e766d3'),
    ],
    [
      'whose fresh time belongs to another signature',
      webhook(
        `t=${NOW},v1=${OTHER} t=1795834499,v1=c0adecb60633eda52996d61498c787bd19ee901f170d55218633537f9c7ffe0d`,
      ),
    ],
  ],
};

testAdapter(under);

describe('the API of Persona', () => {
  it('with a key of the sandbox gives decisions of the sandbox, whatever the variable says', async () => {
    const inquiry = {
      data: {
        id: 'x',
        attributes: { status: 'approved', 'updated-at': '2026-11-28T03:00:00.000Z' },
        relationships: { 'inquiry-template': { data: { id: PERSONA.template } } },
      },
    };
    const respond = async () => new Response(JSON.stringify(inquiry));
    const key = { PERSONA_API_KEY: 'persona_sandbox_key' };
    const adapter = adapterOf(under, 'https://api.withpersona.com/api/v1', key, respond);
    expect(await adapter.decision('x')).toMatchObject({ state: 'approved', sandbox: true });
  });
});
