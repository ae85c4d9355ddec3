/** Lies in what is read: configuration, records, the verifier's address, whose session it is. */
import { askToo, isOf, type Json, jsonAnswer, PREPARING, rewriting } from '../memory/answers.ts';
import type { HostileCall, HostileMode, Liar, Lie } from './hostile-mode.ts';
import { STRANGER } from './stranger.ts';

const OTHER_HASH = '9'.repeat(64);

function reads(
  id: string,
  call: HostileCall,
  code: HostileMode['code'],
  lie: string,
  liar: () => Liar,
  more: Pick<HostileMode, 'context' | 'kinds'> = {},
): Lie {
  return { mode: { id, category: 'reads', call, code, lie, ...more }, liar };
}

function config(id: string, field: string, lie: string, change: (config: Json) => Json): Lie {
  return reads(`reads-${id}`, 'config', 'CONFIG_MISMATCH', lie, () => rewriting(['config'], change), {
    context: { fields: [field] },
  });
}

function swapped(table: unknown): unknown {
  const [first, second, ...rest] = table as Json[];
  return [
    { ...first!, code: second!.code, name: second!.name },
    { ...second!, code: first!.code, name: first!.name },
    ...rest,
  ];
}

/** A record of the proof's context with one field changed. */
function proofContext(record: string, field: string, lie: string, value: (record: Json) => unknown): Lie {
  return reads(
    `reads-${record}-${field}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    'proofContext',
    'RECORD_MISMATCH',
    lie,
    () =>
      rewriting(['proofContext'], (told) => {
        const changed = told[record] as Json;
        return { ...told, [record]: { ...changed, [field]: value(changed) } };
      }),
    { context: { fields: [`${record}.${field}`] } },
  );
}

function verifierUrl(id: string, lie: string, url: (honest: URL) => string): Lie {
  return reads(`reads-verifier-${id}`, 'startVerification', 'VERIFIER_ORIGIN_MISMATCH', lie, () =>
    rewriting(['verificationSessions'], (told) => ({ ...told, url: url(new URL(String(told.url))) })),
  );
}

const indexed = (change: (credential: Json) => Json): Liar =>
  rewriting(['passport'], (told) => ({ ...told, credential: change(told.credential as Json) }));

const madeUpCredential = (wallet: unknown, verifier: unknown): Json => ({
  address: STRANGER,
  wallet,
  verifier,
  commitment: OTHER_HASH,
  issuedAt: '1',
  expiresAt: '99999999999',
  revoked: false,
});

/** The lies in reads. */
export const READS_LIES: readonly Lie[] = [
  config('other-genesis', 'genesisHash', 'The service is on another cluster.', (told) => ({
    ...told,
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  })),
  config('other-program', 'program', 'The program is another one.', (told) => ({
    ...told,
    program: STRANGER,
  })),
  config('other-digest', 'artifacts.digest', 'The digest of the artifacts is another one.', (told) => ({
    ...told,
    artifacts: { ...(told.artifacts as Json), digest: OTHER_HASH },
  })),
  config('swapped-regions', 'regions', 'Two regions have each other’s names.', (told) => ({
    ...told,
    regions: swapped(told.regions),
  })),
  config('swapped-statuses', 'statuses', 'Two statuses have each other’s names.', (told) => ({
    ...told,
    statuses: swapped(told.statuses),
  })),
  config(
    'doubled-region',
    'regions',
    'A region is told a second time, under the name of another one.',
    (told) => {
      const [first, second] = told.regions as Json[];
      return { ...told, regions: [...(told.regions as Json[]), { ...first!, name: second!.name }] };
    },
  ),
  config('doubled-status', 'statuses', 'A new status has the code of one that there is.', (told) => {
    const [first] = told.statuses as Json[];
    return { ...told, statuses: [...(told.statuses as Json[]), { ...first!, index: 31, name: 'Anybody' }] };
  }),
  config('no-regions', 'regions', 'There are no regions.', (told) => ({ ...told, regions: [] })),
  reads(
    'reads-other-circuit',
    'proofContext',
    'CIRCUIT_MISMATCH',
    'The manifest is of another circuit than the one on chain.',
    () =>
      rewriting(['config'], (told) => {
        const artifacts = told.artifacts as Json;
        return {
          ...told,
          artifacts: { ...artifacts, manifest: { ...(artifacts.manifest as Json), circuit: 'another' } },
        };
      }),
  ),
  proofContext('credential', 'commitment', 'The credential has another commitment.', () => OTHER_HASH),
  proofContext(
    'credential',
    'expiresAt',
    'The credential lives longer.',
    ({ expiresAt }) => `${BigInt(String(expiresAt)) + 1n}`,
  ),
  proofContext('credential', 'revoked', 'A live credential is called revoked.', () => true),
  proofContext('credential', 'verifier', 'The credential is of another verifier.', () => STRANGER),
  proofContext('credential', 'wallet', 'The credential is of another wallet.', () => STRANGER),
  proofContext(
    'ruleSet',
    'clauses',
    'The rule set has other clauses: each proof that is tried would tell one attribute.',
    () => [{ regions: ['AD'], statuses: ['retail'], minAge: 90 }],
  ),
  proofContext('ruleSet', 'ruleHash', 'The rule set has another hash.', () => OTHER_HASH),
  proofContext('ruleSet', 'maxPassAgeSeconds', 'Passes of the rule set live longer.', () => '31622400'),
  proofContext('ruleSet', 'address', 'The rule set is at another address.', () => STRANGER),
  proofContext('ruleSet', 'name', 'The rule set has another name.', () => 'Trust me'),
  proofContext('verifier', 'active', 'An active verifier is called inactive.', () => false),
  proofContext('verifier', 'authority', 'The verifier signs with another key.', () => STRANGER),
  proofContext('circuit', 'artifactsDigest', 'The circuit has other artifacts.', () => OTHER_HASH),
  proofContext('circuit', 'id', 'The circuit is another one.', () => 'another'),
  proofContext('circuit', 'retiredAt', 'A circuit in use is called retired.', () => '1'),
  reads(
    'reads-made-up-rule',
    'proofContext',
    'ACCOUNT_NOT_FOUND',
    'A rule set that there is not is described like one that there is.',
    () => {
      return async (request, ask) => {
        if (!isOf(request, ['proofContext'])) return ask(request);
        const asked = { request: request.clone(), ask };
        const { rule } = (await request.json()) as Json;
        const { ruleSets } = await askToo(asked, '/api/rules?limit=500');
        for (const { address } of ruleSets as Json[]) {
          const told = await askToo(asked, '/api/proofs/context', { rule: address });
          if (told.ruleSet)
            return jsonAnswer({ ...told, ruleSet: { ...(told.ruleSet as Json), address: rule } });
        }
        return ask(asked.request);
      };
    },
  ),
  reads(
    'reads-made-up-credential',
    'proofContext',
    'CREDENTIAL_REQUIRED',
    'A wallet without a credential is said to have one.',
    () => async (request, ask) => {
      if (!isOf(request, ['proofContext'])) return ask(request);
      const asked = { request: request.clone(), ask };
      const { rule } = (await request.json()) as Json;
      const [{ ruleSets }, network, { wallet }] = await Promise.all([
        askToo(asked, '/api/rules?limit=500'),
        askToo(asked, '/api/network'),
        askToo(asked, '/api/auth/session'),
      ]);
      const verifier = (network.verifiers as Json[])[0]!;
      return jsonAnswer({
        credential: madeUpCredential(wallet, verifier.address),
        ruleSet: (ruleSets as Json[]).find(({ address }) => address === rule),
        verifier,
        circuit: network.circuit,
        passFee: network.passFee,
        chainTime: network.chainTime,
      });
    },
  ),
  reads(
    'reads-indexed-other-credential',
    'waitForCredential',
    'TIMEOUT',
    'The index is said to hold a credential with another commitment than the chain’s.',
    () => indexed((credential) => ({ ...credential, commitment: OTHER_HASH })),
  ),
  reads(
    'reads-indexed-older-credential',
    'waitForCredential',
    'TIMEOUT',
    'The index is said to hold a credential that was issued earlier than the chain’s.',
    () => indexed((credential) => ({ ...credential, issuedAt: '1' })),
  ),
  reads(
    'reads-revoked-shown-live',
    'proofContext',
    'RECORD_MISMATCH',
    'A credential that was revoked is shown as it was before.',
    () => {
      let first: Json | undefined;
      return async (request, ask) => {
        if (!isOf(request, ['proofContext'])) return ask(request);
        if (first) return jsonAnswer(first);
        const response = await ask(request);
        if (response.ok) first = (await response.clone().json()) as Json;
        return response;
      };
    },
    { context: { fields: ['credential.revoked'] } },
  ),
  verifierUrl('elsewhere', 'The verifier’s page is at another origin.', () => 'https://evil.example/verify'),
  verifierUrl(
    'origin-as-prefix',
    'The verifier’s origin is only what the page’s origin begins with.',
    ({ hostname, pathname }) => `https://${hostname}.evil.example${pathname}`,
  ),
  verifierUrl(
    'as-user',
    'The verifier’s host is the user of another host.',
    ({ hostname }) => `https://${hostname}@evil.example/verify`,
  ),
  verifierUrl(
    'with-user-info',
    'The verifier’s page has user info that reads like another host.',
    ({ protocol, host, pathname }) => `${protocol}//evil.example@${host}${pathname}`,
  ),
  verifierUrl(
    'as-blob',
    'The verifier’s page is a blob that the service’s own page has made up.',
    ({ origin }) => `blob:${origin}/0f0e0d0c-0b0a-4908-8706-050403020100`,
  ),
  verifierUrl('other-scheme', 'The verifier’s page has another scheme.', (honest) =>
    honest.href.replace(/^https?:/, honest.protocol === 'https:' ? 'http:' : 'https:'),
  ),
  verifierUrl(
    'other-port',
    'The verifier’s page is at another port.',
    ({ protocol, hostname }) => `${protocol}//${hostname}:8443/verify`,
  ),
  verifierUrl(
    'in-path',
    'The verifier’s origin is the path of another one.',
    ({ origin }) => `https://evil.example/${origin}/`,
  ),
  verifierUrl('script', 'The verifier’s page is a script.', () => 'javascript:alert(1)'),
  verifierUrl('data', 'The verifier’s page is in the URL itself.', () => 'data:text/html,hello'),
  reads(
    'reads-session-of-another',
    'signAndSubmit',
    'WALLET_MISMATCH',
    'The session and what is prepared in it are said to be another wallet’s.',
    () => rewriting(['session', ...PREPARING], (told) => ({ ...told, wallet: STRANGER })),
    { context: { expected: STRANGER }, kinds: ['BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER'] },
  ),
  reads('reads-no-session', 'prepare', 'AUTHENTICATION_REQUIRED', 'Nobody is said to be signed in.', () =>
    rewriting(['session'], () => ({ wallet: null })),
  ),
  reads(
    'reads-empty-pages',
    'ruleSets',
    'UNEXPECTED_RESPONSE',
    'The list of rule sets never ends: each page is empty, and leads to a new one.',
    () => {
      // A client that goes on fails its test, and not the machine.
      let left = 64;
      return rewriting(['rules'], (told) => ({
        ...told,
        ruleSets: [],
        nextCursor: left-- > 0 ? `page-${left}` : null,
      }));
    },
  ),
  reads(
    'reads-pages-in-a-circle',
    'ruleSets',
    'UNEXPECTED_RESPONSE',
    'The list of rule sets never ends: each page leads to one before.',
    () => async (request, ask) => {
      const url = new URL(request.url);
      const isSecond = url.searchParams.get('cursor') === 'first';
      url.searchParams.delete('cursor');
      const liar = rewriting(['rules'], (told) => ({ ...told, nextCursor: isSecond ? 'second' : 'first' }));
      return liar(new Request(url, request), ask);
    },
  ),
];
