/**
 * A fake of Didit. Its shapes follow docs.didit.me of November 2026: sessions-api/create-session,
 * sessions-api/retrieve-session and integration/webhooks.
 */
import type { DocumentType } from '../../src/provider.ts';
import { alpha3 } from './fake-person.ts';
import { type FakeCheck, type FakeProtocol, type FakeState, macOf } from './fake-provider.ts';

export const DIDIT = {
  key: 'key-of-the-application',
  webhookSecret: 'current-webhook-secret',
  workflow: 'd8d2fa2d-c69c-471c-b7bc-bc71512b43ef',
};

const KINDS: Readonly<Record<DocumentType, string>> = {
  passport: 'Passport',
  'identity-card': 'Identity Card',
  'driving-licence': "Driver's License",
  'residence-permit': 'Residence Permit',
};

const STATUSES: Readonly<Record<FakeState, string>> = {
  created: 'Not Started',
  opened: 'In Progress',
  pending: 'In Review',
  approved: 'Approved',
  declined: 'Declined',
  retry: 'Resubmitted',
};

export const fakeDidit: FakeProtocol = {
  respond({ method, path, headers, body }, fake) {
    if (headers.get('x-api-key') !== DIDIT.key) return 401;
    if (method === 'POST' && path === '/v3/session/') {
      const { workflow_id, vendor_data, callback } = JSON.parse(body);
      if (workflow_id !== DIDIT.workflow) return 400;
      const check = fake.add({ id: `session-${vendor_data}`, reference: vendor_data, returnUrl: callback });
      const json = {
        session_id: check.id,
        session_number: 43762,
        session_token: 'abcdef123456',
        url: fake.pageOf(check),
        vendor_data,
        metadata: null,
        status: STATUSES.created,
        workflow_id,
        callback,
      };
      return { json, status: 201 };
    }
    const [, id] = /^\/v3\/session\/([^/]+)\/decision\/$/.exec(path) ?? [];
    const check = fake.checks.get(decodeURIComponent(id ?? ''));
    return method === 'GET' && check ? { json: sessionOf(check) } : 404;
  },

  webhook(check, now) {
    const timestamp = Math.floor(now / 1000);
    const body = JSON.stringify({
      event_id: `event-${check.id}-${check.state}`,
      webhook_type: 'status.updated',
      timestamp,
      created_at: timestamp,
      session_id: check.id,
      status: STATUSES[check.state],
      workflow_id: DIDIT.workflow,
      workflow_version: 1,
      vendor_data: check.reference,
      decision: sessionOf(check),
    });
    const signature = macOf(DIDIT.webhookSecret, body);
    return { headers: { 'x-timestamp': String(timestamp), 'x-signature': signature }, body };
  },
};

function sessionOf({ id, reference, returnUrl, state, person, changedAt }: FakeCheck) {
  const status = STATUSES[state];
  const isDone = state !== 'created' && state !== 'opened';
  const document = {
    node_id: 'feature_ocr',
    verification_method: 'document',
    status,
    document_type: KINDS[person.documentType],
    document_number: person.documentNumber,
    personal_number: null,
    date_of_birth: person.birthDate,
    age: 36,
    expiration_date: person.documentExpires,
    date_of_issue: null,
    issuing_state: alpha3(person.documentCountry),
    first_name: 'Alex',
    last_name: 'Sample',
    gender: 'U',
    // The address on a document is no proof of address.
    address: '1 Sample Street',
    parsed_address: { country: 'US', city: 'Sample' },
    nationality: alpha3(person.nationality),
    extra_fields: {},
    matches: [],
    warnings: [],
  };
  const proofOfAddress = {
    node_id: 'feature_proof_of_address',
    status,
    document_type: 'UTILITY_BILL',
    issuing_state: 'MEX',
    poa_address: '1 Sample Street',
    poa_parsed_address: { country: person.residence, city: 'Sample', postal_code: '00000' },
    name_on_document: 'ALEX SAMPLE',
    warnings: [],
  };
  return {
    session_id: id,
    session_kind: 'user',
    session_number: 43762,
    session_url: 'https://verify.didit.me/session/abcdef123456',
    status,
    environment: 'live',
    workflow_id: DIDIT.workflow,
    features: ['ID_VERIFICATION', 'LIVENESS', 'FACE_MATCH', 'POA'],
    vendor_data: reference,
    metadata: null,
    expected_details: null,
    callback: returnUrl,
    id_verifications: isDone ? [document] : null,
    nfc_verifications: null,
    liveness_checks: isDone
      ? [{ node_id: 'feature_liveness', status, method: 'PASSIVE', score: 99.03 }]
      : null,
    face_matches: isDone ? [{ node_id: 'feature_face_match', status, score: 95.26, warnings: [] }] : null,
    poa_verifications: isDone && person.residence ? [proofOfAddress] : null,
    aml_screenings: null,
    reviews: [],
    created_at: new Date(changedAt).toISOString(),
  };
}
