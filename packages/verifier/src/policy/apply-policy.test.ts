import { expect, test } from 'vitest';
import type { Decision } from '../provider.ts';
import { applyPolicy } from './apply-policy.ts';
import { type Policy, policyRecord } from './policy.ts';

const NOW = 1_760_000_000n;
const DAY = 86_400n;
const policy: Policy = {
  version: '1',
  region: 'nationality',
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: { investor: 'accredited', bank: 'institutional' },
};
const approved: Decision = {
  state: 'approved',
  sandbox: false,
  flow: 'kyc',
  updatedAt: 1,
  birthDate: '1990-05-17',
  nationality: 'DE',
  residence: 'FR',
  documentCountry: 'IT',
  documentType: 'passport',
  documentExpires: '2035-01-31',
  personId: 'DE passport C01X',
  tags: [],
};
const apply = (changes: Record<string, unknown> = {}, own: Partial<Policy> = {}, allowSandbox = false) =>
  applyPolicy({ ...approved, ...changes } as Decision, {
    policy: { ...policy, ...own },
    flow: 'kyc',
    allowSandbox,
    now: NOW,
  });

test.each([
  ['nationality', 'DE'],
  ['residence', 'FR'],
  ['document', 'IT'],
] as const)('the region is the %s', (region, code) => {
  expect(apply({}, { region })).toMatchObject({ attested: { region: code } });
});

test('a credential expires after the days of the policy, or with the last day of the document', () => {
  expect(apply()).toMatchObject({ attested: { expiresAt: NOW + 365n * DAY } });
  const end = BigInt(Date.UTC(2025, 11, 25) / 1000);
  expect(apply({ documentExpires: '2025-12-24' })).toMatchObject({ attested: { expiresAt: end } });
});

test.each([
  [[], 'retail'],
  [['vip'], 'retail'],
  [['bank', 'investor'], 'accredited'],
  [['bank'], 'institutional'],
])('with the tags %j, the status is %s', (tags, status) => {
  expect(apply({ tags })).toMatchObject({ attested: { status } });
});

test.each([
  ['a decision of a sandbox', { sandbox: true }, 'sandbox'],
  ['a decision that does not say where it comes from', { sandbox: undefined }, 'sandbox'],
  ['a decision of another flow', { flow: 'kyc-light' }, 'flow'],
  ['no nationality', { nationality: undefined }, 'region'],
  ['an unknown country', { nationality: 'ZZ' }, 'region'],
  ['no birth date', { birthDate: undefined }, 'birth date'],
  ['a day that does not exist', { birthDate: '1990-02-30' }, 'birth date'],
  ['a birth in the future', { birthDate: '2030-01-01' }, 'birth date'],
  ['another document', { documentType: 'driving-licence' }, 'document'],
  ['an unknown document', { documentType: undefined }, 'document'],
  ['a document that expired yesterday', { documentExpires: '2025-10-08' }, 'document expired'],
  ['a document without an end', { documentExpires: undefined }, 'document expired'],
  ['a document with a day that does not exist', { documentExpires: '2030-02-30' }, 'document expired'],
  ['nothing to recognize the person by', { personId: undefined }, 'person'],
  ['an empty id of the person', { personId: '' }, 'person'],
])('%s gives no credential', (_what, changes, refusal) => {
  expect(apply(changes)).toEqual({ refusal });
});

test('a document is valid on its last day', () => {
  expect(apply({ documentExpires: '2025-10-09' })).toMatchObject({ attested: { status: 'retail' } });
});

test('decisions of a sandbox count where they are allowed', () => {
  expect(apply({ sandbox: true }, {}, true)).toMatchObject({ attested: { region: 'DE' } });
});

test.each([
  ['another region', { region: 'birthplace' }],
  ['no documents', { documents: [] }],
  ['more days than a credential can last', { credentialDays: 1_099 }],
  ['an unknown status', { statusOfTag: { investor: 'emperor' } }],
  ['an unknown field', { minimumAge: 18 }],
  ['no version', { version: '' }],
])('a policy file with %s is rejected', (_what, changes) => {
  expect(policyRecord.safeParse(policy).success).toBe(true);
  expect(policyRecord.safeParse({ ...policy, ...changes }).success).toBe(false);
});
