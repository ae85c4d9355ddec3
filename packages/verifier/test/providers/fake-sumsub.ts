/**
 * A fake of Sumsub. Its shapes follow docs.sumsub.com/reference of November 2026: get-applicant-data-via-externaluserid,
 * get-status-of-verification-steps, generate-websdk-external-link, and docs.sumsub.com/docs/user-verification-webhooks.
 */
import type { DocumentType } from '../../src/provider.ts';
import { alpha3 } from './fake-person.ts';
import { type FakeCheck, type FakeProtocol, macOf } from './fake-provider.ts';

export const SUMSUB = {
  token: 'prd:token-of-the-app',
  key: 'secret-key-of-the-app',
  webhookSecret: 'current-webhook-secret',
  level: 'basic-kyc-level',
};

const KINDS: Readonly<Record<DocumentType, string>> = {
  passport: 'PASSPORT',
  'identity-card': 'ID_CARD',
  'driving-licence': 'DRIVERS',
  'residence-permit': 'RESIDENCE_PERMIT',
};

export const fakeSumsub: FakeProtocol = {
  respond({ method, path, headers, body }, fake) {
    const time = headers.get('x-app-access-ts') ?? '';
    const isSigned =
      headers.get('x-app-token') === SUMSUB.token &&
      Math.abs(Number(time) - fake.now() / 1000) <= 60 &&
      headers.get('x-app-access-sig') === macOf(SUMSUB.key, time + method + path + body);
    if (!isSigned) return 401;
    if (method === 'POST' && path === '/resources/sdkIntegrations/levels/-/websdkLink') {
      const { levelName, userId, redirect } = JSON.parse(body);
      if (levelName !== SUMSUB.level) return 404;
      const check = fake.add({ id: userId, reference: userId, returnUrl: redirect.successUrl });
      return { json: { url: fake.pageOf(check) } };
    }
    const [, userId] = /^\/resources\/applicants\/-;externalUserId=([^/]+)\/one$/.exec(path) ?? [];
    const [, applicantId] =
      /^\/resources\/applicants\/applicant-([^/]+)\/requiredIdDocsStatus$/.exec(path) ?? [];
    const check = fake.checks.get(decodeURIComponent(userId ?? applicantId ?? ''));
    // The applicant begins to exist when the person opens the link.
    if (method !== 'GET' || !check || check.state === 'created') return 404;
    return { json: userId ? applicantOf(check) : stepsOf(check) };
  },

  webhook(check) {
    const type = {
      created: 'applicantCreated',
      opened: 'applicantCreated',
      pending: 'applicantPending',
      approved: 'applicantReviewed',
      declined: 'applicantReviewed',
      retry: 'applicantReviewed',
    }[check.state];
    const { reviewStatus, reviewResult } = reviewOf(check);
    const body = JSON.stringify({
      applicantId: `applicant-${check.id}`,
      inspectionId: '5cb744200a975a67ed1798a5',
      applicantType: 'individual',
      correlationId: `req-${check.changedAt}`,
      levelName: SUMSUB.level,
      sandboxMode: false,
      externalUserId: check.reference,
      type,
      reviewResult,
      reviewStatus,
      createdAtMs: new Date(check.changedAt).toISOString().replace('T', ' ').slice(0, -1),
      clientId: 'client',
    });
    const digest = macOf(SUMSUB.webhookSecret, body);
    return { headers: { 'x-payload-digest': digest, 'x-payload-digest-alg': 'HMAC_SHA256_HEX' }, body };
  },
};

function reviewOf({ state, changedAt }: FakeCheck) {
  const answers = {
    approved: { reviewAnswer: 'GREEN' },
    declined: { reviewAnswer: 'RED', reviewRejectType: 'FINAL', rejectLabels: ['FORGERY'] },
    retry: { reviewAnswer: 'RED', reviewRejectType: 'RETRY', rejectLabels: ['BAD_PROOF_OF_IDENTITY'] },
  };
  const reviewResult = state in answers ? answers[state as keyof typeof answers] : undefined;
  return {
    reviewId: 'EBtPv',
    attemptId: 'EMFPc',
    attemptCnt: 0,
    levelName: SUMSUB.level,
    levelAutoCheckMode: null,
    createDate: timeOf(changedAt),
    ...(reviewResult ? { reviewDate: timeOf(changedAt), reviewResult } : {}),
    reviewStatus: reviewResult ? 'completed' : state === 'pending' ? 'pending' : 'init',
    priority: 0,
  };
}

function applicantOf(check: FakeCheck) {
  const { person, state } = check;
  const names = { firstName: 'ALEX', firstNameEn: 'ALEX', lastName: 'SAMPLE', lastNameEn: 'SAMPLE' };
  const info = {
    ...names,
    dob: person.birthDate,
    nationality: alpha3(person.nationality),
    country: alpha3(person.documentCountry),
    addresses: [
      { street: '1 Sample Street', town: 'Sample', postCode: '00000', country: alpha3(person.residence) },
    ],
    idDocs: [
      {
        idDocType: KINDS[person.documentType],
        country: alpha3(person.documentCountry),
        ...names,
        validUntil: person.documentExpires,
        number: person.documentNumber,
        dob: person.birthDate,
      },
      { idDocType: 'UTILITY_BILL', country: alpha3(person.residence), ...names, issuedDate: '2026-10-01' },
    ],
  };
  return {
    id: `applicant-${check.id}`,
    createdAt: timeOf(check.changedAt),
    key: 'WBFHTKYHGUTOLX',
    clientId: 'client',
    inspectionId: '5cb744200a975a67ed1798a5',
    externalUserId: check.reference,
    ...(state === 'created' || state === 'opened' ? {} : { info }),
    // What the applicant typed. It must not count.
    fixedInfo: { country: 'USA', nationality: 'USA', dob: '1950-01-01' },
    applicantPlatform: 'Web',
    requiredIdDocs: {
      docSets: [
        { idDocSetType: 'IDENTITY', types: ['PASSPORT', 'ID_CARD', 'DRIVERS', 'RESIDENCE_PERMIT'] },
        { idDocSetType: 'PROOF_OF_RESIDENCE', types: ['UTILITY_BILL'] },
      ],
    },
    review: reviewOf(check),
    lang: 'en',
    type: 'individual',
    tags: check.tags,
  };
}

function stepsOf({ state, person }: FakeCheck) {
  const reviewResult = { reviewAnswer: state === 'approved' ? 'GREEN' : 'RED' };
  return {
    IDENTITY: {
      reviewResult,
      country: alpha3(person.documentCountry),
      idDocType: KINDS[person.documentType],
      imageIds: [166],
      imageReviewResults: { '166': reviewResult },
      forbidden: false,
    },
    PROOF_OF_RESIDENCE: person.residence && {
      reviewResult,
      country: alpha3(person.residence),
      idDocType: 'UTILITY_BILL',
      imageIds: [167],
    },
  };
}

/** Returns a time as the API writes it, such as `2026-11-28 03:00:00+0000`. */
function timeOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().replace('T', ' ').slice(0, 19)}+0000`;
}
