/**
 * A fake of Veriff. Its shapes follow devdocs.veriff.com of November 2026: apidocs/v1sessions,
 * apidocs/v1sessionsiddecision-1 and docs/decision-webhook.
 */
import type { DocumentType } from '../../src/provider.ts';
import { type FakeCheck, type FakeProtocol, type FakeState, macOf } from './fake-provider.ts';

export const VERIFF = { key: 'key-of-the-integration', secret: 'current-shared-secret' };

const KINDS: Readonly<Record<DocumentType, string>> = {
  passport: 'PASSPORT',
  'identity-card': 'ID_CARD',
  'driving-licence': 'DRIVERS_LICENSE',
  'residence-permit': 'RESIDENCE_PERMIT',
};

/** Undefined before the first decision. */
const DECISIONS: Readonly<Record<FakeState, readonly [string, number] | undefined>> = {
  created: undefined,
  opened: undefined,
  pending: ['review', 9121],
  approved: ['approved', 9001],
  declined: ['declined', 9102],
  retry: ['resubmission_requested', 9103],
};

export const fakeVeriff: FakeProtocol = {
  respond({ method, path, headers, body }, fake) {
    const [, given] = /^\/v1\/sessions\/([^/]+)\/decision$/.exec(path) ?? [];
    const id = decodeURIComponent(given ?? '');
    const signature = macOf(VERIFF.secret, method === 'POST' ? body : id);
    if (headers.get('x-auth-client') !== VERIFF.key) return 401;
    if (headers.get('x-hmac-signature') !== signature) return 401;
    if (method === 'POST' && path === '/v1/sessions') {
      const { vendorData, callback } = JSON.parse(body).verification;
      const check = fake.add({ id: `session-${vendorData}`, reference: vendorData, returnUrl: callback });
      const verification = {
        id: check.id,
        url: fake.pageOf(check),
        vendorData,
        host: fake.url,
        status: 'created',
        sessionToken: 'eyJhbGciOiJIUzI1NiJ9.sample',
      };
      return { json: { status: 'success', verification }, status: 201 };
    }
    const check = fake.checks.get(id);
    return method === 'GET' && check ? { json: decisionOf(check) } : 404;
  },

  webhook(check) {
    const body = JSON.stringify(
      DECISIONS[check.state]
        ? decisionOf(check)
        : {
            id: check.id,
            attemptId: 'attempt',
            feature: 'selfid',
            code: 7001,
            action: 'started',
            vendorData: check.reference,
          },
    );
    const signature = macOf(VERIFF.secret, body);
    return { headers: { 'x-auth-client': VERIFF.key, 'x-hmac-signature': signature }, body };
  },
};

function decisionOf({ id, reference, state, person, changedAt }: FakeCheck) {
  const decision = DECISIONS[state];
  if (!decision) return { status: 'success', verification: null };
  const [status, code] = decision;
  const verification = {
    id,
    attemptId: '00bca969-b53a-4fad-b065-874d41a7b2b0',
    code,
    status,
    reason: null,
    reasonCode: null,
    person: {
      gender: null,
      idNumber: null,
      firstName: 'ALEX',
      lastName: 'SAMPLE',
      dateOfBirth: person.birthDate,
      nationality: person.nationality,
      yearOfBirth: person.birthDate.slice(0, 4),
      // The address on a document is no proof of address.
      addresses: [{ fullAddress: '1 Sample Street', parsedAddress: { country: 'US' } }],
    },
    document: {
      type: KINDS[person.documentType],
      number: person.documentNumber,
      country: person.documentCountry,
      validFrom: null,
      validUntil: person.documentExpires,
    },
    comments: [],
    additionalVerifiedData: {},
    vendorData: reference,
    decisionTime: new Date(changedAt).toISOString(),
    acceptanceTime: new Date(changedAt).toISOString(),
  };
  return { status: 'success', verification, technicalData: { ip: '192.0.2.1' } };
}
