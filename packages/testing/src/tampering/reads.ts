/** Tampers with reads: configuration, records, the verifier's URL, and the session. */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import { PREPARING } from '../routes.ts';
import {
  type HostileMode,
  type Table,
  type Tamper,
  type Tampering,
  tamperings,
  UNKNOWN_ADDRESS,
} from './hostile-mode.ts';
import { askService, editJson, isFor, type Json, jsonOf, refusal, set } from './responses.ts';

const OTHER_HASH = '9'.repeat(64);

/** Modes of some context field that change the configuration. */
const config = (field: string, table: Table<(config: Json) => Json>): readonly Tampering[] =>
  tamperings(
    { category: 'reads', call: 'config', code: 'CONFIG_MISMATCH', context: { fields: [field] } },
    (edit) => editJson(['config'], edit),
    table,
  );

/** Swaps the names of the first two entries of a table. */
const swapped = (name: string) => (json: Json) => {
  const [first, second, ...rest] = json[name] as Json[];
  const swap = (entry: Json, other: Json) => ({ ...entry, code: other.code, name: other.name });
  return { ...json, [name]: [swap(first!, second!), swap(second!, first!), ...rest] };
};

/** Adds an entry that is made of the first two entries of a table. */
const extended = (name: string, entryOf: (first: Json, second: Json) => Json) => (json: Json) => {
  const entries = json[name] as Json[];
  return { ...json, [name]: [...entries, entryOf(entries[0]!, entries[1]!)] };
};

/** Modes that change one field of a record of the proof context. */
function record(
  name: string,
  table: Record<string, [description: string, value: (record: Json) => unknown]>,
) {
  return Object.entries(table).flatMap(([field, [description, value]]) => {
    const id = `${name}-${field}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const context = { fields: [`${name}.${field}`] };
    const edit = (json: Json) => {
      const changed = json[name] as Json;
      return { ...json, [name]: { ...changed, [field]: value(changed) } };
    };
    return tamperings(
      { category: 'reads', call: 'proofContext', code: 'RECORD_MISMATCH', context },
      () => editJson(['proofContext'], edit),
      { [id]: [description, undefined] },
    );
  });
}

/** Calls a function with the proof context's request, and forwards other requests. */
const onProofContext =
  (respond: (rule: unknown, ask: (path: string, body?: unknown) => Promise<Json>) => Promise<Json | null>) =>
  (): Tamper =>
  async (request, forward) => {
    if (!isFor(request, ['proofContext'])) return forward(request);
    const { rule } = (await request.clone().json()) as Json;
    const json = await respond(rule, (path, body) => askService({ request, forward }, path, body));
    return json ? Response.json(json) : forward(request);
  };

const madeUpCredential = (wallet: unknown, verifier: unknown): Json => ({
  address: UNKNOWN_ADDRESS,
  wallet,
  verifier,
  commitment: OTHER_HASH,
  issuedAt: '1',
  expiresAt: '99999999999',
  revoked: false,
});

const proofContext: Table<() => Tamper> = {
  'other-circuit': [
    'The manifest names another circuit than the chain, and the pinned artifacts are missing.',
    () => {
      const edit = editJson(['config'], (json) => {
        const artifacts = json.artifacts as Json;
        const manifest = { ...(artifacts.manifest as Json), circuit: 'another' };
        return { ...json, artifacts: { ...artifacts, manifest } };
      });
      return async (request, forward) =>
        new URL(request.url).pathname.startsWith('/artifacts/')
          ? refusal('NOT_FOUND', 404)
          : edit(request, forward);
    },
    { code: 'CIRCUIT_MISMATCH' },
  ],
  'made-up-rule': [
    'A rule set that does not exist gets the record of one that exists.',
    onProofContext(async (rule, ask) => {
      const { ruleSets } = await ask('/api/rules?limit=500');
      for (const { address } of ruleSets as Json[]) {
        const context = await ask('/api/proofs/context', { rule: address });
        if (context.ruleSet) return { ...context, ruleSet: { ...(context.ruleSet as Json), address: rule } };
      }
      return null;
    }),
    { code: 'ACCOUNT_NOT_FOUND' },
  ],
  'made-up-credential': [
    'A wallet without a credential gets a made-up one.',
    onProofContext(async (rule, ask) => {
      const [{ ruleSets }, network, { wallet }] = await Promise.all([
        ask('/api/rules?limit=500'),
        ask('/api/network'),
        ask('/api/auth/session'),
      ]);
      const verifier = (network.verifiers as Json[])[0]!;
      return {
        credential: madeUpCredential(wallet, verifier.address),
        ruleSet: (ruleSets as Json[]).find(({ address }) => address === rule),
        verifier,
        circuit: network.circuit,
        passFee: network.passFee,
        chainTime: network.chainTime,
      };
    }),
    { code: 'CREDENTIAL_REQUIRED' },
  ],
  'revoked-shown-live': [
    'A revoked credential is shown as it was before its revocation.',
    () => {
      let first: Json | undefined;
      return async (request, forward) => {
        if (!isFor(request, ['proofContext'])) return forward(request);
        if (first) return Response.json(first);
        const response = await forward(request);
        if (response.ok) first = await jsonOf(response);
        return response;
      };
    },
    { code: 'RECORD_MISMATCH', context: { fields: ['credential.revoked'] } },
  ],
};

const ruleSets: Table<() => Tamper> = {
  'empty-pages': [
    'The list of rule sets never ends: each page is empty, and has a new cursor.',
    () => {
      // A client without a limit fails its test, and does not run forever.
      let left = 64;
      return editJson(['rules'], (json) => ({
        ...json,
        ruleSets: [],
        nextCursor: left-- > 0 ? `page-${left}` : null,
      }));
    },
  ],
  'pages-in-a-circle': [
    'The list of rule sets never ends: each page has the cursor of an earlier page.',
    () => async (request, forward) => {
      const url = new URL(request.url);
      const nextCursor = url.searchParams.get('cursor') === 'first' ? 'second' : 'first';
      url.searchParams.delete('cursor');
      return editJson(['rules'], set({ nextCursor }))(new Request(url, request), forward);
    },
  ],
};

const inIndex = (fields: Json): Tamper =>
  editJson(['passport'], (json) => ({ ...json, credential: { ...(json.credential as Json), ...fields } }));

const reads = (defaults: Pick<HostileMode, 'call' | 'code'>, table: Table<() => Tamper>) =>
  tamperings({ category: 'reads', ...defaults }, (start) => start(), table);

/** Tampers with reads. */
export const READS_TAMPERINGS: readonly Tampering[] = [
  ...config('genesisHash', {
    'other-genesis': ['The service is on another cluster.', set({ genesisHash: MAINNET_GENESIS_HASH })],
  }),
  ...config('program', { 'other-program': ['The program differs.', set({ program: UNKNOWN_ADDRESS })] }),
  ...config('artifacts.digest', {
    'other-digest': [
      'The digest of the artifacts differs.',
      (json) => ({ ...json, artifacts: { ...(json.artifacts as Json), digest: OTHER_HASH } }),
    ],
  }),
  ...config('regions', {
    'swapped-regions': ['Two regions have each other’s names.', swapped('regions')],
    'doubled-region': [
      'A region is listed again, with the name of another one.',
      extended('regions', (first, second) => ({ ...first, name: second.name })),
    ],
    'no-regions': ['The list of regions is empty.', set({ regions: [] })],
  }),
  ...config('statuses', {
    'swapped-statuses': ['Two statuses have each other’s names.', swapped('statuses')],
    'doubled-status': [
      'A new status has the code of another one.',
      extended('statuses', (first) => ({ ...first, index: 31, name: 'Anybody' })),
    ],
  }),
  ...record('credential', {
    commitment: ['The credential has another commitment.', () => OTHER_HASH],
    expiresAt: ['The credential expires later.', ({ expiresAt }) => `${BigInt(String(expiresAt)) + 1n}`],
    revoked: ['A valid credential is called revoked.', () => true],
    verifier: ['The credential has another verifier.', () => UNKNOWN_ADDRESS],
    wallet: ['The credential has another wallet.', () => UNKNOWN_ADDRESS],
  }),
  ...record('ruleSet', {
    clauses: [
      'The rule set has other clauses, so that each attempt to prove would reveal one attribute.',
      () => [{ regions: ['AD'], statuses: ['retail'], minAge: 90 }],
    ],
    ruleHash: ['The rule set has another hash.', () => OTHER_HASH],
    maxPassAgeSeconds: ['The rule set has a longer pass age.', () => '31622400'],
    address: ['The rule set has another address.', () => UNKNOWN_ADDRESS],
    name: ['The rule set has another name.', () => 'Trust me'],
  }),
  ...record('verifier', {
    active: ['An active verifier is called inactive.', () => false],
    authority: ['The verifier has another authority.', () => UNKNOWN_ADDRESS],
  }),
  ...record('circuit', {
    artifactsDigest: ['The circuit has other artifacts.', () => OTHER_HASH],
    id: ['The circuit has another id.', () => 'another'],
    retiredAt: ['An active circuit is called retired.', () => '1'],
  }),
  ...reads({ call: 'proofContext', code: 'RECORD_MISMATCH' }, proofContext),
  ...reads(
    { call: 'waitForCredential', code: 'TIMEOUT' },
    {
      'indexed-other-credential': [
        'The index has a credential with another commitment than the chain.',
        () => inIndex({ commitment: OTHER_HASH }),
      ],
      'indexed-older-credential': [
        'The index has a credential with an earlier issue time than the chain.',
        () => inIndex({ issuedAt: '1' }),
      ],
    },
  ),
  ...tamperings(
    { category: 'reads', call: 'startVerification', code: 'VERIFIER_ORIGIN_MISMATCH' },
    (urlOf: (honest: URL) => string) =>
      editJson(['verificationSessions'], (json) => ({ ...json, url: urlOf(new URL(String(json.url))) })),
    {
      'verifier-elsewhere': [
        'The verifier’s page is at another origin.',
        () => 'https://evil.example/verify',
      ],
      'verifier-origin-as-prefix': [
        'The page’s origin only begins with the verifier’s origin.',
        ({ hostname, pathname }) => `https://${hostname}.evil.example${pathname}`,
      ],
      'verifier-as-user': [
        'The verifier’s host is the user of another host.',
        ({ hostname }) => `https://${hostname}@evil.example/verify`,
      ],
      'verifier-with-user-info': [
        'The URL of the verifier’s page has user info that looks like another host.',
        ({ protocol, host, pathname }) => `${protocol}//evil.example@${host}${pathname}`,
      ],
      'verifier-as-blob': [
        'The verifier’s page is a blob that the service’s own page made.',
        ({ origin }) => `blob:${origin}/0f0e0d0c-0b0a-4908-8706-050403020100`,
      ],
      'verifier-other-scheme': [
        'The verifier’s page has another scheme.',
        ({ href, protocol }) => href.replace(/^https?:/, protocol === 'https:' ? 'http:' : 'https:'),
      ],
      'verifier-other-port': [
        'The verifier’s page is at another port.',
        ({ protocol, hostname }) => `${protocol}//${hostname}:8443/verify`,
      ],
      'verifier-in-path': [
        'The verifier’s origin is the path of another origin.',
        ({ origin }) => `https://evil.example/${origin}/`,
      ],
      'verifier-script': ['The verifier’s URL is a script.', () => 'javascript:alert(1)'],
      'verifier-data': ['The verifier’s page is in the URL itself.', () => 'data:text/html,hello'],
    },
  ),
  ...reads(
    { call: 'signAndSubmit', code: 'WALLET_MISMATCH' },
    {
      'session-of-another': [
        'The session and the prepared operation are another wallet’s.',
        () => editJson(['session', ...PREPARING], set({ wallet: UNKNOWN_ADDRESS })),
        { context: { expected: UNKNOWN_ADDRESS }, kinds: ['BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] },
      ],
    },
  ),
  ...reads(
    { call: 'prepare', code: 'AUTHENTICATION_REQUIRED' },
    {
      'no-session': [
        'The service says that nobody is signed in.',
        () => editJson(['session'], set({ wallet: null })),
      ],
    },
  ),
  ...reads({ call: 'ruleSets', code: 'UNEXPECTED_RESPONSE' }, ruleSets),
];
