/** Edits of reads: configuration, records, the verifier's URL, and lists. */
import { circuitRecord, credentialRecord, ruleSetRecord, verifierRecord } from '@service/contract';
import {
  editJson,
  isFor,
  type Json,
  jsonOf,
  set,
  type Tamper,
  UNKNOWN_ADDRESS,
} from '@service/testing/edits';
import { add, double, OTHER_HASH, otherValue, replaceField } from './kinds.ts';
import { cases, type SweepMode } from './row.ts';

const READS = { category: 'reads' } as const;

type EditJson = (json: Json) => Json;

/** Changes the configuration. The client names the field in its error. */
const config = (field: string, table: Readonly<Record<string, EditJson>>) =>
  cases(
    { ...READS, call: 'config', code: 'CONFIG_MISMATCH', context: { fields: [field] } },
    (edit) => editJson(['config'], edit),
    table,
  );

const replaced = (field: string) => config(field, { [`other-${field}`]: replaceField(field, otherValue) });

/** Swaps the names of the first two entries of a list. */
const swappedNames = ([first, second, ...rest]: Json[]) => [
  { ...first, code: second!.code, name: second!.name },
  { ...second, code: first!.code, name: first!.name },
  ...rest,
];

/** The fields of a record that the client compares with the chain: all but those that change between two reads. */
const comparedFields = (schema: { shape: object }) =>
  Object.keys(schema.shape).filter((field) => !['passFunds', 'maxPassFee'].includes(field));

/** Other values of fields that are empty in an honest answer. */
const OTHER_VALUES: Readonly<Record<string, unknown>> = {
  'ruleSet.powers': ['suspend'],
  'ruleSet.verifier': UNKNOWN_ADDRESS,
  'ruleSet.walletsPerPerson': 2,
};

/** Replaces one field of a record of the proof context. The client names the field in its error. */
const recordFields = (name: string, schema: { shape: object }) =>
  comparedFields(schema).flatMap((field) =>
    cases(
      { ...READS, call: 'proofContext', code: 'RECORD_MISMATCH', context: { fields: [`${name}.${field}`] } },
      (edit: EditJson) => editJson(['proofContext'], edit),
      {
        [`${name}-${field}`]: replaceField(
          `${name}.${field}`,
          (value) => OTHER_VALUES[`${name}.${field}`] ?? otherValue(value),
        ),
      },
    ),
  );

/** Replaces the URL of the verifier's page. */
const verifier = (table: Readonly<Record<string, (honest: URL) => string>>) =>
  cases(
    { ...READS, call: 'startVerification', code: 'VERIFIER_ORIGIN_MISMATCH' },
    (urlOf) =>
      editJson(['verificationSessions'], (json) => ({ ...json, url: urlOf(new URL(String(json.url))) })),
    table,
  );

const starting = (
  expected: Pick<SweepMode, 'call' | 'code' | 'context'>,
  table: Readonly<Record<string, () => Tamper>>,
) => cases({ ...READS, ...expected }, (start) => start(), table);

export const READS_SWEEP: readonly SweepMode[] = [
  ...['program', 'artifacts.digest'].flatMap(replaced),
  ...config('regions', {
    'swapped-regions': replaceField('regions', (list) => swappedNames(list as Json[])),
    'doubled-region': replaceField('regions', (list) => {
      const regions = list as Json[];
      return add(regions, regions.length, { ...regions[0], name: regions[1]!.name });
    }),
    'repeated-region': replaceField('regions', (list) => double(list as Json[], 0)),
    'no-regions': set({ regions: [] }),
  }),
  ...config('statuses', {
    'swapped-statuses': replaceField('statuses', (list) => swappedNames(list as Json[])),
    'doubled-status': replaceField('statuses', (list) => {
      const statuses = list as Json[];
      return add(statuses, statuses.length, { ...statuses[0], index: 31, name: 'Anybody' });
    }),
    'no-statuses': set({ statuses: [] }),
  }),
  ...recordFields('credential', credentialRecord),
  ...recordFields('ruleSet', ruleSetRecord),
  ...recordFields('verifier', verifierRecord),
  ...recordFields('circuit', circuitRecord),
  ...starting(
    {
      call: 'proofContext',
      code: 'RECORD_MISMATCH',
      context: { fields: ['credential.issuedAt', 'credential.revoked'] },
    },
    {
      // A revoked credential is shown as it was before its revocation.
      'revoked-shown-live': () => {
        let first: Json | undefined;
        return async (request, forward) => {
          if (!isFor(request, ['proofContext'])) return forward(request);
          if (first) return Response.json(first);
          const response = await forward(request);
          if (response.ok) first = await jsonOf(response);
          return response;
        };
      },
    },
  ),
  ...starting(
    { call: 'waitForCredential', code: 'TIMEOUT' },
    {
      'indexed-other-credential': () =>
        editJson(
          ['passport'],
          replaceField('credential.commitment', () => OTHER_HASH),
        ),
    },
  ),
  ...verifier({
    'verifier-origin-as-prefix': ({ hostname, pathname }) => `https://${hostname}.evil.example${pathname}`,
    'verifier-as-user': ({ hostname }) => `https://${hostname}@evil.example/verify`,
    'verifier-with-user-info': ({ protocol, host, pathname }) =>
      `${protocol}//evil.example@${host}${pathname}`,
    'verifier-as-blob': ({ origin }) => `blob:${origin}/0f0e0d0c-0b0a-4908-8706-050403020100`,
    'verifier-other-scheme': ({ href, protocol }) =>
      href.replace(/^https?:/, protocol === 'https:' ? 'http:' : 'https:'),
    'verifier-other-port': ({ protocol, hostname }) => `${protocol}//${hostname}:8443/verify`,
    'verifier-in-path': ({ origin }) => `https://evil.example/${origin}/`,
    'verifier-script': () => 'javascript:alert(1)',
    'verifier-data': () => 'data:text/html,hello',
  }),
  ...starting(
    { call: 'ruleSets', code: 'UNEXPECTED_RESPONSE' },
    {
      // Each page is empty, and has a new cursor. A client without a limit fails its test, and does not run forever.
      'empty-pages': () => {
        let left = 64;
        return editJson(['rules'], (json) => ({
          ...json,
          ruleSets: [],
          nextCursor: left-- > 0 ? `page-${left}` : null,
        }));
      },
      // Each page has the cursor of an earlier page.
      'pages-in-a-circle': () => async (request, forward) => {
        const url = new URL(request.url);
        const nextCursor = url.searchParams.get('cursor') === 'first' ? 'second' : 'first';
        url.searchParams.delete('cursor');
        return editJson(['rules'], set({ nextCursor }))(new Request(url, request), forward);
      },
    },
  ),
];
