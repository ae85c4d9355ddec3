/** Tampers with the sign-in message (SPEC.md section 5). */
import { type ChallengeFields, formatChallenge, parseChallenge } from '@service/protocol';
import type { ServiceErrorContexts } from '@service/sdk';
import type { Address } from '@solana/kit';
import {
  MAINNET,
  type Table,
  type Tamper,
  type Tampering,
  tamperings,
  UNKNOWN_ADDRESS,
} from './hostile-mode.ts';
import { editJson, isFor, type Json, jsonOf, set, withBody, without } from './responses.ts';

const SIGN_IN = { category: 'sign-in', call: 'authenticate', code: 'CHALLENGE_REFUSED' } as const;
const FORMAT = { ...SIGN_IN, context: { binding: 'format' } };

/** Changes fields of the message. Times are relative to `issuedAt`, which is the service's present time. */
type EditFields = (fields: ChallengeFields) => Partial<ChallengeFields>;
type EditText = (message: string) => string;

/** Modes in which the message is well-formed, but a field differs. */
function fields(
  binding: ServiceErrorContexts['CHALLENGE_REFUSED']['binding'],
  table: Table<EditFields>,
): readonly Tampering[] {
  return tamperings({ ...SIGN_IN, context: { binding } }, (edit) => changeFields(edit), table);
}

function changeFields(edit: EditFields): Tamper {
  return editJson(['challenge'], (challenge) => {
    const received = parseChallenge(String(challenge.message))!;
    const changed = { ...received, ...edit(received) };
    return { ...challenge, message: formatChallenge(changed), expiresAt: `${changed.expiresAt}` };
  });
}

const changeText = (edit: EditText): Tamper =>
  editJson(['challenge'], (challenge) => ({ ...challenge, message: edit(String(challenge.message)) }));

/** The lines of the message, and what they match. */
const LINES = {
  'host line': / wants you to sign in with your Solana account:$/,
  wallet: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  statement: /^Sign in to /,
  'URI line': /^URI: /,
  'version line': /^Version: /,
  'nonce line': /^Nonce: /,
  'issue line': /^Issued At: /,
  'expiry line': /^Expiration Time: /,
  'request id line': /^Request ID: /,
  'resources line': /^Resources:$/,
  'program line': /^- urn:service:program:/,
  'genesis line': /^- urn:service:genesis:/,
} as const;

const inLine =
  (line: keyof typeof LINES, edit: (line: string) => string[]): EditText =>
  (message) =>
    message
      .split('\n')
      .flatMap((each) => (LINES[line].test(each) ? edit(each) : [each]))
      .join('\n');

/** A mode for each line of the message. */
const everyLine = (
  name: (slug: string) => string,
  description: (line: string) => string,
  edit: (line: string) => string[],
): Table<EditText> =>
  Object.fromEntries(
    (Object.keys(LINES) as (keyof typeof LINES)[]).map((line) => [
      name(line.toLowerCase().replaceAll(' ', '-')),
      [description(line), inLine(line, edit)],
    ]),
  );

const LOOK_ALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ' };

/** Replaces one Latin letter by the Cyrillic letter that looks like it. */
function lookAlike(text: string): string {
  const at = [...text].findIndex((letter) => letter in LOOK_ALIKES);
  return at < 0 ? `${text}\u0430` : text.slice(0, at) + LOOK_ALIKES[text[at]!] + text.slice(at + 1);
}

const inHost =
  (edit: (host: string) => string): EditText =>
  (message) => {
    const host = message.split(' wants you ')[0]!;
    return message.replaceAll(host, edit(host));
  };

const replace =
  (pattern: RegExp | string, text: string): EditText =>
  (message) =>
    message.replace(pattern, text);

const withoutPort = (origin: string) => origin.replace(/:\d+$/, '');

/** Tampers with sign-in. */
export const SIGN_IN_TAMPERINGS: readonly Tampering[] = [
  ...fields('origin', {
    'other-origin': ['The message names another origin.', () => ({ origin: 'https://evil.example' })],
    'origin-as-prefix': [
      'The message names an origin that begins with the site’s origin.',
      ({ origin }) => ({ origin: `${withoutPort(origin)}.evil.example` }),
    ],
    'other-scheme': [
      'The message names the site under another scheme.',
      ({ origin }) => ({
        origin: origin.replace(/^https?:/, origin.startsWith('https:') ? 'http:' : 'https:'),
      }),
    ],
    'other-port': [
      'The message names another port of the site.',
      ({ origin }) => ({ origin: `${withoutPort(origin)}:8443` }),
    ],
    'path-after-origin': [
      'The message names a path after the origin.',
      ({ origin }) => ({ origin: `${origin}/login` }),
    ],
    'user-before-host': [
      'The message names the site as the user of another host.',
      ({ origin }) => ({ origin: `https://${new URL(origin).host.replace(':', '%3A')}@evil.example` }),
    ],
    'punycode-origin': [
      'The message names an origin in punycode that browsers show like the site’s origin.',
      ({ origin }) => {
        const { protocol, host } = new URL(origin);
        return { origin: new URL(`${protocol}//${lookAlike(host)}`).origin };
      },
    ],
  }),
  ...fields('wallet', {
    'other-wallet': ['The message names another wallet.', () => ({ wallet: UNKNOWN_ADDRESS })],
    'look-alike-wallet': [
      'The message names a wallet whose address differs in one character in the middle.',
      ({ wallet }) => ({
        wallet: (wallet.slice(0, 20) + (wallet[20] === 'x' ? 'y' : 'x') + wallet.slice(21)) as Address,
      }),
    ],
  }),
  ...fields('program', {
    'other-program': ['The message names another program.', () => ({ program: UNKNOWN_ADDRESS })],
  }),
  ...fields('genesisHash', {
    'other-cluster': ['The message names another cluster.', () => ({ genesisHash: MAINNET })],
  }),
  ...fields('expiresAt', {
    expired: [
      'The challenge has expired.',
      ({ issuedAt: now }) => ({ issuedAt: now - 400n, expiresAt: now - 100n }),
    ],
    'far-expiry': [
      'The challenge is valid for a year.',
      ({ issuedAt }) => ({ expiresAt: issuedAt + 31_536_000n }),
    ],
    'late-expiry': [
      'The challenge is valid two minutes too long.',
      ({ issuedAt }) => ({ expiresAt: issuedAt + 420n }),
    ],
    'expiry-before-issue': [
      'The challenge expires before it is issued.',
      ({ issuedAt: now }) => ({ issuedAt: now + 50n, expiresAt: now + 40n }),
    ],
  }),
  ...fields('issuedAt', {
    'issued-later': [
      'The challenge is issued an hour in the future.',
      ({ issuedAt: now }) => ({ issuedAt: now + 3_600n, expiresAt: now + 3_900n }),
    ],
  }),
  ...tamperings(FORMAT, changeText, {
    'homoglyph-origin': ['One letter of the origin is a Cyrillic look-alike.', inHost(lookAlike)],
    'zero-width-origin': [
      'The origin contains a zero-width space.',
      inHost((host) => `${host.slice(0, 2)}\u200b${host.slice(2)}`),
    ],
    'right-to-left-origin': [
      'The origin contains a right-to-left override.',
      inHost((host) => `\u202e${[...host].reverse().join('')}\u202c`),
    ],
    'full-width-digits': [
      'The nonce has a full-width digit.',
      inLine('nonce line', (line) => [line.replace(/\d/, '\uff11')]),
    ],
    ...everyLine(
      (line) => `without-${line}`,
      (line) => `The message has no ${line}.`,
      () => [],
    ),
    ...everyLine(
      (line) => `doubled-${line}`,
      (line) => `The message has its ${line} twice.`,
      (line) => [line, line],
    ),
    'newline-in-origin': [
      'A line break in the origin adds a second URI.',
      inLine('URI line', (line) => ['URI: https://evil.example', line]),
    ],
    'newline-in-nonce': [
      'A line break in the nonce adds a second expiry.',
      inLine('nonce line', (line) => [line, 'Expiration Time: 2099-01-01T00:00:00Z']),
    ],
    'carriage-returns': [
      'Lines end with carriage return and line feed.',
      (message) => message.replaceAll('\n', '\r\n'),
    ],
    'line-separator': ['A Unicode line separator replaces a line break.', replace('\n', '\u2028')],
    prefix: ['The message has text before it.', (message) => `I give everything away.\n${message}`],
    suffix: ['The message has an additional resource.', (message) => `${message}\n- urn:service:more:1`],
    'line-break-after': ['The message ends with a line break.', (message) => `${message}\n`],
    'byte-order-mark': ['The message begins with a byte order mark.', (message) => `\ufeff${message}`],
    'other-statement': ['The statement differs.', replace('costs nothing', 'costs everything')],
    'host-not-origin': ['The first line names another host than the URI.', replace(/^\S+/, 'evil.example')],
    'short-nonce': ['The nonce has five characters.', replace(/^Nonce: .*$/m, 'Nonce: short')],
    'time-in-another-form': [
      'The expiry has fractions of a second.',
      replace(/^(Expiration Time: .*)Z$/m, '$1.000Z'),
    ],
    'impossible-time': [
      'The expiry is on a day that does not exist.',
      replace(/^(Expiration Time: \d{4}).*$/m, '$1-02-31T00:00:00Z'),
    ],
    'origin-no-url': ['The origin is not a valid URL.', replace(/^URI: .*$/m, 'URI: https://[')],
    'issued-before-time': [
      'The challenge was issued in 1969, before the Unix epoch.',
      replace(/^Issued At: .*$/m, 'Issued At: 1969-12-31T23:59:59Z'),
    ],
    'expired-before-time': [
      'The challenge expired in 1969, before the Unix epoch.',
      replace(/^Expiration Time: .*$/m, 'Expiration Time: 1969-12-31T23:59:59Z'),
    ],
    transaction: ['The message is a transaction.', () => '\u0001\u0000\u0001\u0003'],
    nothing: ['The message is empty.', () => ''],
  }),
  ...tamperings(SIGN_IN, (edit: (challenge: Json) => Json) => editJson(['challenge'], edit), {
    'two-expiries': [
      'The response and its message have different expiries.',
      (challenge) => ({ ...challenge, expiresAt: `${BigInt(String(challenge.expiresAt)) - 1n}` }),
      { context: { binding: 'expiresAt' } },
    ],
    'two-challenge-ids': [
      'The response and its message have different challenge ids.',
      set({ challengeId: '00000000-0000-4000-8000-000000000000' }),
      { context: { binding: 'challengeId' } },
    ],
    'no-message': [
      'The response has no message.',
      without('message'),
      { code: 'UNEXPECTED_RESPONSE', context: { field: 'message' } },
    ],
    'no-expiry': [
      'The response has no expiry.',
      without('expiresAt'),
      { code: 'UNEXPECTED_RESPONSE', context: { field: 'expiresAt' } },
    ],
    'malformed-challenge-id': [
      'The challenge id is not a UUID.',
      set({ challengeId: '../../logout' }),
      { code: 'UNEXPECTED_RESPONSE', context: { field: 'challengeId' } },
    ],
  }),
  ...tamperings<() => Tamper>({ ...SIGN_IN, context: { binding: 'nonce' } }, (start) => start(), {
    replayed: [
      'The challenge is one that this client answered before.',
      () => {
        let first: Json | undefined;
        return editJson(['challenge'], (challenge) => (first ??= challenge));
      },
    ],
    'nonce-again': [
      'The challenge is new, but its nonce is one that this client answered before.',
      () => {
        let nonce: string | undefined;
        return editJson(['challenge'], (challenge) => {
          const received = parseChallenge(String(challenge.message))!;
          nonce ??= received.nonce;
          if (nonce === received.nonce) return challenge;
          return { ...challenge, message: formatChallenge({ ...received, nonce }) };
        });
      },
    ],
  }),
  ...tamperings({ ...SIGN_IN, code: 'UNEXPECTED_RESPONSE' }, (tamper: Tamper) => tamper, {
    'as-another': [
      'The service accepts the signature, and signs another wallet in.',
      async (request, forward) => {
        const response = await forward(request);
        if (!isFor(request, ['verify']) || !response.ok) return response;
        return withBody(response, JSON.stringify({ ...(await jsonOf(response)), wallet: UNKNOWN_ADDRESS }));
      },
    ],
  }),
];
