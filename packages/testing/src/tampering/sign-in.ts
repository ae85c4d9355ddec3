/** Lies in the sign-in message (SPEC.md section 5). */
import { type ChallengeFields, formatChallenge, parseChallenge } from '@service/protocol';
import type { ServiceErrorContexts } from '@service/sdk';
import type { Address } from '@solana/kit';
import { isOf, type Json, jsonOf, rewriting, withBody } from '../memory/answers.ts';
import type { HostileMode, Lie } from './hostile-mode.ts';
import { STRANGER } from './stranger.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** The lines of the message, by what they start with. */
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

const LOOK_ALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ' };

function lookAlike(text: string): string {
  const at = [...text].findIndex((letter) => letter in LOOK_ALIKES);
  return at < 0 ? `${text}\u0430` : text.slice(0, at) + LOOK_ALIKES[text[at]!] + text.slice(at + 1);
}

function mode(
  id: string,
  binding: ServiceErrorContexts['CHALLENGE_REFUSED']['binding'],
  lie: string,
): HostileMode {
  const context = { binding };
  return { id, category: 'sign-in', call: 'authenticate', code: 'CHALLENGE_REFUSED', context, lie };
}

/** A message that is well-formed, with other fields. */
function fields(
  id: string,
  binding: ServiceErrorContexts['CHALLENGE_REFUSED']['binding'],
  lie: string,
  change: (fields: ChallengeFields, now: bigint) => Partial<ChallengeFields>,
): Lie {
  return {
    mode: mode(id, binding, lie),
    liar: () =>
      rewriting(['challenge'], (answer) => {
        const told = parseChallenge(String(answer.message))!;
        // By the clock of the service behind, which issued it a moment ago.
        const changed = { ...told, ...change(told, told.issuedAt) };
        return { ...answer, message: formatChallenge(changed), expiresAt: `${changed.expiresAt}` };
      }),
  };
}

/** A message in other words. */
function text(id: string, lie: string, change: (message: string) => string): Lie {
  return {
    mode: mode(id, 'format', lie),
    liar: () =>
      rewriting(['challenge'], (answer) => ({ ...answer, message: change(String(answer.message)) })),
  };
}

/** An answer whose fields beside the message are off. */
function answer(
  id: string,
  code: HostileMode['code'],
  lie: string,
  change: (answer: Json) => Json,
  context?: HostileMode['context'],
): Lie {
  return {
    mode: { id, category: 'sign-in', call: 'authenticate', code, lie, ...(context ? { context } : {}) },
    liar: () => rewriting(['challenge'], change),
  };
}

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const hostOf = (message: string) => message.split(' wants you ')[0]!;
const inHost = (change: (host: string) => string) => (message: string) =>
  message.replaceAll(hostOf(message), change(hostOf(message)));
const inLine = (line: keyof typeof LINES, change: (line: string) => string[]) => (message: string) =>
  message
    .split('\n')
    .flatMap((each) => (LINES[line].test(each) ? change(each) : [each]))
    .join('\n');

const missing = Object.keys(LINES).map((line) =>
  text(
    `sign-in-without-${slug(line)}`,
    `The message lacks its ${line}.`,
    inLine(line as keyof typeof LINES, () => []),
  ),
);
const doubled = Object.keys(LINES).map((line) =>
  text(
    `sign-in-doubled-${slug(line)}`,
    `The message has its ${line} twice.`,
    inLine(line as keyof typeof LINES, (each) => [each, each]),
  ),
);

/** The lies in sign-in. */
export const SIGN_IN_LIES: readonly Lie[] = [
  fields('sign-in-other-origin', 'origin', 'The message names another origin.', () => ({
    origin: 'https://evil.example',
  })),
  fields(
    'sign-in-origin-as-prefix',
    'origin',
    'The message names an origin that begins with the site’s.',
    ({ origin }) => ({ origin: `${origin.replace(/:\d+$/, '')}.evil.example` }),
  ),
  fields(
    'sign-in-other-scheme',
    'origin',
    'The message names the site under another scheme.',
    ({ origin }) => ({
      origin: origin.startsWith('https:')
        ? origin.replace('https:', 'http:')
        : origin.replace('http:', 'https:'),
    }),
  ),
  fields('sign-in-other-port', 'origin', 'The message names another port of the site.', ({ origin }) => ({
    origin: `${origin.replace(/:\d+$/, '')}:8443`,
  })),
  fields(
    'sign-in-path-after-origin',
    'origin',
    'The message names a path after the origin.',
    ({ origin }) => ({
      origin: `${origin}/login`,
    }),
  ),
  fields(
    'sign-in-user-before-host',
    'origin',
    'The message names the site as the user of another host.',
    ({ origin }) => ({ origin: `https://${new URL(origin).host.replace(':', '%3A')}@evil.example` }),
  ),
  fields(
    'sign-in-punycode-origin',
    'origin',
    'The message names an origin in punycode that browsers show like the site’s.',
    ({ origin }) => {
      const { protocol, host } = new URL(origin);
      return { origin: new URL(`${protocol}//${lookAlike(host)}`).origin };
    },
  ),
  text('sign-in-homoglyph-origin', 'One letter of the origin is its Cyrillic twin.', inHost(lookAlike)),
  text(
    'sign-in-zero-width-origin',
    'The origin holds a zero-width space.',
    inHost((host) => `${host.slice(0, 2)}\u200b${host.slice(2)}`),
  ),
  text(
    'sign-in-right-to-left-origin',
    'The origin holds a right-to-left override.',
    inHost((host) => `\u202e${[...host].reverse().join('')}\u202c`),
  ),
  text(
    'sign-in-full-width-digits',
    'The nonce has full-width digits.',
    inLine('nonce line', (line) => [line.replace(/\d/, '\uff11')]),
  ),
  fields('sign-in-other-wallet', 'wallet', 'The message signs another wallet in.', () => ({
    wallet: STRANGER,
  })),
  fields(
    'sign-in-look-alike-wallet',
    'wallet',
    'The message signs in a wallet whose address differs in the middle.',
    ({ wallet }) => ({
      wallet: (wallet.slice(0, 20) + (wallet[20] === 'x' ? 'y' : 'x') + wallet.slice(21)) as Address,
    }),
  ),
  fields('sign-in-other-program', 'program', 'The message is for another program.', () => ({
    program: STRANGER,
  })),
  fields('sign-in-other-cluster', 'genesisHash', 'The message is for another cluster.', () => ({
    genesisHash: MAINNET,
  })),
  fields('sign-in-expired', 'expiresAt', 'The challenge has expired.', (_told, now) => ({
    issuedAt: now - 400n,
    expiresAt: now - 100n,
  })),
  fields('sign-in-far-expiry', 'expiresAt', 'The challenge can be answered for a year.', (_told, now) => ({
    expiresAt: now + 31_536_000n,
  })),
  fields('sign-in-late-expiry', 'expiresAt', 'The challenge lives two minutes too long.', (_told, now) => ({
    expiresAt: now + 420n,
  })),
  fields(
    'sign-in-expiry-before-issue',
    'expiresAt',
    'The challenge expires before it is issued.',
    (_told, now) => ({
      issuedAt: now + 50n,
      expiresAt: now + 40n,
    }),
  ),
  fields('sign-in-issued-later', 'issuedAt', 'The challenge is issued in an hour.', (_told, now) => ({
    issuedAt: now + 3_600n,
    expiresAt: now + 3_900n,
  })),
  answer(
    'sign-in-two-expiries',
    'CHALLENGE_REFUSED',
    'The expiry beside the message is not the one in it.',
    (told) => ({ ...told, expiresAt: `${BigInt(String(told.expiresAt)) - 1n}` }),
    { binding: 'expiresAt' },
  ),
  answer(
    'sign-in-two-challenge-ids',
    'CHALLENGE_REFUSED',
    'The challenge id beside the message is not the one in it.',
    (told) => ({ ...told, challengeId: '00000000-0000-4000-8000-000000000000' }),
    { binding: 'challengeId' },
  ),
  ...missing,
  ...doubled,
  text(
    'sign-in-newline-in-origin',
    'A line break in the origin smuggles in a second URI.',
    inLine('URI line', (line) => [`URI: https://evil.example`, line]),
  ),
  text(
    'sign-in-newline-in-nonce',
    'A line break in the nonce smuggles in a second expiry.',
    inLine('nonce line', (line) => [line, 'Expiration Time: 2099-01-01T00:00:00Z']),
  ),
  text('sign-in-carriage-returns', 'Lines end with carriage return and line feed.', (message) =>
    message.replaceAll('\n', '\r\n'),
  ),
  text('sign-in-line-separator', 'A Unicode line separator stands for a line break.', (message) =>
    message.replace('\n', '\u2028'),
  ),
  text(
    'sign-in-prefix',
    'Text stands before the message.',
    (message) => `I give everything away.\n${message}`,
  ),
  text(
    'sign-in-suffix',
    'A resource more stands after the message.',
    (message) => `${message}\n- urn:service:more:1`,
  ),
  text('sign-in-line-break-after', 'A line break stands after the message.', (message) => `${message}\n`),
  text(
    'sign-in-byte-order-mark',
    'A byte order mark stands before the message.',
    (message) => `\ufeff${message}`,
  ),
  text('sign-in-other-statement', 'The statement says something else.', (message) =>
    message.replace('costs nothing', 'costs everything'),
  ),
  text('sign-in-host-not-origin', 'The first line names another host than the URI.', (message) =>
    message.replace(/^\S+/, 'evil.example'),
  ),
  text('sign-in-short-nonce', 'The nonce has five characters.', (message) =>
    message.replace(/^Nonce: .*$/m, 'Nonce: short'),
  ),
  text('sign-in-time-in-another-form', 'The expiry is written with fractions of a second.', (message) =>
    message.replace(/^(Expiration Time: .*)Z$/m, '$1.000Z'),
  ),
  text('sign-in-impossible-time', 'The expiry is on a day that does not exist.', (message) =>
    message.replace(/^(Expiration Time: \d{4}).*$/m, '$1-02-31T00:00:00Z'),
  ),
  text('sign-in-origin-no-url', 'The origin is no URL.', (message) =>
    message.replace(/^URI: .*$/m, 'URI: https://['),
  ),
  text('sign-in-issued-before-time', 'The challenge was issued before time began, in 1969.', (message) =>
    message.replace(/^Issued At: .*$/m, 'Issued At: 1969-12-31T23:59:59Z'),
  ),
  text('sign-in-expired-before-time', 'The challenge expired before time began, in 1969.', (message) =>
    message.replace(/^Expiration Time: .*$/m, 'Expiration Time: 1969-12-31T23:59:59Z'),
  ),
  text('sign-in-transaction', 'The message is a transaction.', () => '\u0001\u0000\u0001\u0003'),
  text('sign-in-nothing', 'The message is empty.', () => ''),
  answer(
    'sign-in-no-message',
    'UNEXPECTED_RESPONSE',
    'There is no message.',
    ({ message: _, ...told }) => told,
    {
      field: 'message',
    },
  ),
  answer(
    'sign-in-no-expiry',
    'UNEXPECTED_RESPONSE',
    'There is no expiry.',
    ({ expiresAt: _, ...told }) => told,
    {
      field: 'expiresAt',
    },
  ),
  answer(
    'sign-in-malformed-challenge-id',
    'UNEXPECTED_RESPONSE',
    'The challenge id is no UUID.',
    (told) => ({ ...told, challengeId: '../../logout' }),
    { field: 'challengeId' },
  ),
  {
    mode: mode('sign-in-replayed', 'nonce', 'The challenge is one that this client has answered before.'),
    liar: () => {
      let first: Json | undefined;
      return rewriting(['challenge'], (told) => (first ??= told));
    },
  },
  {
    mode: mode(
      'sign-in-nonce-again',
      'nonce',
      'The nonce is one that this client has answered before, in a new challenge.',
    ),
    liar: () => {
      let nonce: string | undefined;
      return rewriting(['challenge'], (told) => {
        const read = parseChallenge(String(told.message))!;
        if (nonce === undefined) {
          nonce = read.nonce;
          return told;
        }
        return { ...told, message: formatChallenge({ ...read, nonce }) };
      });
    },
  },
  {
    mode: {
      id: 'sign-in-as-another',
      category: 'sign-in',
      call: 'authenticate',
      code: 'UNEXPECTED_RESPONSE',
      lie: 'The signature was taken, and another wallet is signed in.',
    },
    liar: () => async (request, ask) => {
      const response = await ask(request);
      if (!isOf(request, ['verify']) || !response.ok) return response;
      return withBody(response, JSON.stringify({ ...(await jsonOf(response)), wallet: STRANGER }));
    },
  },
];
