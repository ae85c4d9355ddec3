/** Edits of the sign-in message and of the response around it (SPEC.md section 5). */
import { type ChallengeFields, formatChallenge, parseChallenge } from '@service/protocol';
import { changeFields, changeText, editJson, type Json, set, type Tamper } from '@service/testing/edits';
import type { Address } from '@solana/kit';
import { double, drop, lookAlike, NO_TEXT, OTHER_ID, RETYPED, replaceField } from './kinds.ts';
import { cases, combined, type SweepMode } from './row.ts';

const SIGN_IN = { category: 'sign-in', call: 'authenticate', code: 'CHALLENGE_REFUSED' } as const;

type EditFields = (fields: ChallengeFields) => Partial<ChallengeFields>;
type EditText = (message: string) => string;

/** Replaces a field of the message, which stays well-formed. The client names the field in its error. */
const fields = (binding: string, table: Readonly<Record<string, EditFields>>) =>
  cases({ ...SIGN_IN, context: { binding } }, changeFields, table);

/** The lines of the message that are not empty, and what they match. */
const LINES = {
  'host-line': / wants you to sign in with your Solana account:$/,
  wallet: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  statement: /^Sign in to /,
  'uri-line': /^URI: /,
  'version-line': /^Version: /,
  'nonce-line': /^Nonce: /,
  'issue-line': /^Issued At: /,
  'expiry-line': /^Expiration Time: /,
  'request-id-line': /^Request ID: /,
  'resources-line': /^Resources:$/,
  'program-line': /^- urn:service:program:/,
  'genesis-line': /^- urn:service:genesis:/,
} as const;

const { wallet: _wallet, ...OTHER_LINES } = LINES;

type Line = keyof typeof LINES;

/** The field in the client's error, for lines that are well-formed when their last character is missing. */
const BINDINGS: Partial<Record<Line, string>> = {
  wallet: 'wallet',
  'program-line': 'program',
  'genesis-line': 'genesisHash',
};

type EditLines = (lines: readonly string[], index: number) => readonly string[];

const inLine = (line: RegExp, edit: EditLines): EditText => {
  return (message) => {
    const lines = message.split('\n');
    const index = lines.findIndex((each) => line.test(each));
    if (index < 0) throw new Error(`The message has no line like ${line}.`);
    return edit(lines, index).join('\n');
  };
};
const withLine =
  (edit: (line: string) => string): EditLines =>
  (lines, index) =>
    lines.with(index, edit(lines[index]!));

const inCapitals = withLine((line) => line.toUpperCase());
const cut = withLine((line) => line.slice(0, -1));

/** Edits of each line, after which the message has another format. */
const LINE_EDITS: Readonly<Record<string, EditLines>> = {
  without: drop,
  doubled: double,
  'empty-line-before': (lines, index) => [...lines.slice(0, index), '', ...lines.slice(index)],
  // The last line moves to the start, every other one to the end.
  moved: (lines, index) =>
    index === lines.length - 1
      ? [lines[index]!, ...drop(lines, index)]
      : [...drop(lines, index), lines[index]!],
  'space-after': withLine((line) => `${line} `),
  'space-before': withLine((line) => ` ${line}`),
  'cyrillic-letter-in': withLine(lookAlike),
  'zero-width-space': withLine((line) => `${line.slice(0, 3)}\u200b${line.slice(3)}`),
};

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
const inChallenge = (edit: (challenge: Json) => Json): Tamper => editJson(['challenge'], edit);
const withoutPort = (origin: string) => origin.replace(/:\d+$/, '');

export const SIGN_IN_SWEEP: readonly SweepMode[] = [
  ...fields('origin', {
    'origin-as-prefix': ({ origin }) => ({ origin: `${withoutPort(origin)}.evil.example` }),
    'other-scheme': ({ origin }) => ({
      origin: origin.replace(/^https?:/, origin.startsWith('https:') ? 'http:' : 'https:'),
    }),
    'other-port': ({ origin }) => ({ origin: `${withoutPort(origin)}:8443` }),
    'path-after-origin': ({ origin }) => ({ origin: `${origin}/login` }),
    // The site is the user of another host.
    'user-before-host': ({ origin }) => ({
      origin: `https://${new URL(origin).host.replace(':', '%3A')}@evil.example`,
    }),
    // Browsers show it like the site's origin.
    'punycode-origin': ({ origin }) => {
      const { protocol, host } = new URL(origin);
      return { origin: new URL(`${protocol}//${lookAlike(host)}`).origin };
    },
  }),
  ...fields('wallet', {
    // The address differs in one character in the middle.
    'look-alike-wallet': ({ wallet }) => ({
      wallet: (wallet.slice(0, 20) + (wallet[20] === 'x' ? 'y' : 'x') + wallet.slice(21)) as Address,
    }),
  }),
  ...fields('program', { 'other-program': ({ wallet }) => ({ program: wallet }) }),
  ...fields('expiresAt', {
    expired: ({ issuedAt: now }) => ({ issuedAt: now - 400n, expiresAt: now - 100n }),
    // Two minutes too long.
    'late-expiry': ({ issuedAt }) => ({ expiresAt: issuedAt + 420n }),
    'expiry-before-issue': ({ issuedAt: now }) => ({ issuedAt: now + 50n, expiresAt: now + 40n }),
  }),
  ...fields('issuedAt', {
    'issued-later': ({ issuedAt: now }) => ({ issuedAt: now + 3_600n, expiresAt: now + 3_900n }),
  }),
  ...cases(
    { ...SIGN_IN, context: { binding: 'format' } },
    changeText,
    combined(LINE_EDITS, LINES, (edit, line) => inLine(line, edit)),
  ),
  // An address in capitals can be another address, or none, so the error names either the wallet or the format.
  ...cases(SIGN_IN, changeText, { 'in-capitals-wallet': inLine(LINES.wallet, inCapitals) }),
  ...cases(
    { ...SIGN_IN, context: { binding: 'format' } },
    changeText,
    combined({ 'in-capitals': inCapitals }, OTHER_LINES, (edit, line) => inLine(line, edit)),
  ),
  // A shorter nonce is another nonce, which the client cannot know.
  ...(Object.keys(LINES) as Line[]).flatMap((line) =>
    line === 'nonce-line'
      ? []
      : cases({ ...SIGN_IN, context: { binding: BINDINGS[line] ?? 'format' } }, changeText, {
          [`cut-${line}`]: inLine(LINES[line], cut),
        }),
  ),
  ...cases({ ...SIGN_IN, context: { binding: 'format' } }, changeText, {
    'homoglyph-origin': inHost(lookAlike),
    'zero-width-origin': inHost((host) => `${host.slice(0, 2)}\u200b${host.slice(2)}`),
    'right-to-left-origin': inHost((host) => `\u202e${[...host].reverse().join('')}\u202c`),
    'full-width-digits': inLine(
      LINES['nonce-line'],
      withLine((line) => line.replace(/\d/, '\uff11')),
    ),
    // A line break in a value adds a line.
    'newline-in-origin': replace(/^URI: /m, 'URI: https://evil.example\nURI: '),
    'newline-in-nonce': replace(/^(Nonce: .*)$/m, '$1\nExpiration Time: 2099-01-01T00:00:00Z'),
    'carriage-returns': (message) => message.replaceAll('\n', '\r\n'),
    'line-separator': replace('\n', '\u2028'),
    prefix: (message) => `I give everything away.\n${message}`,
    suffix: (message) => `${message}\n- urn:service:more:1`,
    'line-break-after': (message) => `${message}\n`,
    'byte-order-mark': (message) => `\ufeff${message}`,
    'other-statement': replace('costs nothing', 'costs everything'),
    'host-not-origin': replace(/^\S+/, 'evil.example'),
    'short-nonce': replace(/^Nonce: .*$/m, 'Nonce: short'),
    'time-in-another-form': replace(/^(Expiration Time: .*)Z$/m, '$1.000Z'),
    'impossible-time': replace(/^(Expiration Time: \d{4}).*$/m, '$1-02-31T00:00:00Z'),
    'origin-no-url': replace(/^URI: .*$/m, 'URI: https://['),
    // Before the Unix epoch.
    'issued-before-time': replace(/^Issued At: .*$/m, 'Issued At: 1969-12-31T23:59:59Z'),
    'expired-before-time': replace(/^Expiration Time: .*$/m, 'Expiration Time: 1969-12-31T23:59:59Z'),
    transaction: () => '\u0001\u0000\u0001\u0003',
    nothing: () => '',
  }),
  // The response differs from its message.
  ...cases({ ...SIGN_IN, context: { binding: 'expiresAt' } }, inChallenge, {
    'two-expiries': replaceField('expiresAt', (value) => `${BigInt(String(value)) - 1n}`),
  }),
  ...cases({ ...SIGN_IN, context: { binding: 'challengeId' } }, inChallenge, {
    'two-challenge-ids': set({ challengeId: OTHER_ID }),
  }),
  ...['message', 'expiresAt', 'challengeId'].flatMap((field) =>
    cases(
      { ...SIGN_IN, code: 'UNEXPECTED_RESPONSE', context: { field } },
      inChallenge,
      combined(
        { [`challenge-${field}`]: field },
        field === 'message' ? NO_TEXT : { ...RETYPED, 'other-text': '../../logout' },
        (name, value) => replaceField(name, () => value),
      ),
    ),
  ),
  ...cases<() => Tamper>({ ...SIGN_IN, context: { binding: 'nonce' } }, (start) => start(), {
    // The challenge is new, but its nonce is one that this client answered before.
    'nonce-again': () => {
      let nonce: string | undefined;
      return inChallenge((challenge) => {
        const received = parseChallenge(String(challenge.message))!;
        nonce ??= received.nonce;
        if (nonce === received.nonce) return challenge;
        return { ...challenge, message: formatChallenge({ ...received, nonce }) };
      });
    },
  }),
];
