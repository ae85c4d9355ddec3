/**
 * A fake of Persona. Its shapes follow github.com/persona-id/persona-openapi (2026-08-21), version 2025-12-08: create-inquiry,
 * inquiry-retrieve, verification-government-id-passed and inquiry-approved-webhook-body.
 */
import type { DocumentType } from '../../src/provider.ts';
import { type FakeCheck, type FakeProtocol, type FakeState, macOf } from './fake-provider.ts';

export const PERSONA = {
  key: 'persona_production_key',
  webhookSecret: 'current-webhook-secret',
  template: 'itmpl_p8ANAJy9iqadm2buF2xcVgqH',
};

const KINDS: Readonly<Record<DocumentType, string>> = {
  passport: 'pp',
  'identity-card': 'id',
  'driving-licence': 'dl',
  'residence-permit': 'rp',
};

const STATUSES: Readonly<Record<FakeState, string>> = {
  created: 'created',
  opened: 'pending',
  pending: 'needs_review',
  approved: 'approved',
  declined: 'declined',
  retry: 'expired',
};

const EVENTS: Readonly<Record<FakeState, string>> = {
  created: 'inquiry.created',
  opened: 'inquiry.started',
  pending: 'inquiry.marked-for-review',
  approved: 'inquiry.approved',
  declined: 'inquiry.declined',
  retry: 'inquiry.expired',
};

export const fakePersona: FakeProtocol = {
  respond({ method, path, headers, body }, fake) {
    if (headers.get('authorization') !== `Bearer ${PERSONA.key}`) return 401;
    if (headers.get('persona-version') !== '2025-12-08' || headers.get('key-inflection') !== 'kebab')
      return 400;
    if (method === 'POST' && path === '/inquiries') {
      const { data, meta } = JSON.parse(body);
      if (data.attributes['inquiry-template-id'] !== PERSONA.template) return 422;
      const reference = meta['auto-create-account-reference-id'];
      const check = fake.add({
        id: `inq_${reference}`,
        reference,
        returnUrl: data.attributes['redirect-uri'],
      });
      const links = { 'one-time-link': fake.pageOf(check), 'one-time-link-short': fake.pageOf(check) };
      return { json: { data: inquiryOf(check), meta: { 'session-token': null, ...links } }, status: 201 };
    }
    const { pathname, searchParams } = new URL(path, fake.url);
    const check = fake.checks.get(decodeURIComponent(/^\/inquiries\/([^/]+)$/.exec(pathname)?.[1] ?? ''));
    if (method !== 'GET' || !check) return 404;
    // Since version 2025-10-27, related objects come only if they are asked for.
    const included = searchParams.get('include') === 'verifications' ? verificationsOf(check) : [];
    return { json: { data: inquiryOf(check), included } };
  },

  webhook(check, now) {
    const body = JSON.stringify({
      data: {
        type: 'event',
        id: `evt_${check.id}_${check.state}`,
        attributes: {
          name: EVENTS[check.state],
          payload: { data: inquiryOf(check), included: [] },
          'created-at': new Date(check.changedAt).toISOString(),
        },
      },
    });
    const time = Math.floor(now / 1000);
    return {
      headers: { 'persona-signature': `t=${time},v1=${macOf(PERSONA.webhookSecret, `${time}.${body}`)}` },
      body,
    };
  },
};

function inquiryOf({ id, state, tags, changedAt }: FakeCheck) {
  return {
    type: 'inquiry',
    id,
    attributes: {
      status: STATUSES[state],
      'reference-id': null,
      note: null,
      behaviors: {},
      tags,
      creator: 'API',
      'reviewer-comment': null,
      'created-at': new Date(changedAt).toISOString(),
      'updated-at': new Date(changedAt).toISOString(),
      'redacted-at': null,
      'previous-step-name': 'start',
      'next-step-name': 'success',
      // What the person typed. It must not count.
      fields: {
        'address-country-code': { type: 'string', value: 'US' },
        birthdate: { type: 'date', value: '1950-01-01' },
        'identification-number': { type: 'string', value: null },
      },
    },
    relationships: {
      account: { data: { type: 'account', id: 'act_n2uq9eKMboaCQzu9ALWYcVdN' } },
      'inquiry-template': { data: { type: 'inquiry-template', id: PERSONA.template } },
      'inquiry-template-version': {
        data: { type: 'inquiry-template-version', id: 'itmplv_iXhqfNWqwYLAWs9G8Fm8hPfo' },
      },
      verifications: { data: [{ type: 'verification/government-id', id: 'ver_1' }] },
    },
  };
}

function verificationsOf({ state, person }: FakeCheck) {
  if (state === 'created' || state === 'opened') return [];
  return [
    {
      type: 'verification/government-id',
      id: 'ver_1',
      attributes: {
        status: state === 'approved' ? 'passed' : 'failed',
        'country-code': person.documentCountry,
        checks: [],
        'id-class': KINDS[person.documentType],
        'name-first': 'ALEX',
        'name-last': 'SAMPLE',
        birthdate: person.birthDate,
        'address-street-1': '1 SAMPLE STREET',
        nationality: person.nationality,
        'document-number': null,
        'issue-date': null,
        'expiration-date': person.documentExpires,
        'identification-number': person.documentNumber,
        'from-reusable-persona': false,
      },
      relationships: { inquiry: { data: { type: 'inquiry', id: 'inq_1' } } },
    },
    { type: 'verification/selfie', id: 'ver_2', attributes: { status: 'passed' } },
  ];
}
