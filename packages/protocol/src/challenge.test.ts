import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { type ChallengeFields, formatChallenge, parseChallenge } from './challenge.ts';

const fields: ChallengeFields = {
  origin: 'https://app.example:8443',
  wallet: address('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi'),
  program: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  nonce: 'a1B2c3D4e5F6g7H8',
  challengeId: '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f',
  issuedAt: 1_700_000_000n,
  expiresAt: 1_700_000_300n,
};
const message = formatChallenge(fields);

test('parseChallenge returns the fields of formatChallenge', () => {
  expect(parseChallenge(message)).toEqual(fields);
});

test('no line can be missing or duplicated', () => {
  const lines = message.split('\n');
  for (const [place, line] of lines.entries()) {
    expect(parseChallenge(lines.toSpliced(place, 1).join('\n')), `without ${line}`).toBeNull();
    expect(parseChallenge(lines.toSpliced(place, 0, line).join('\n')), `doubled ${line}`).toBeNull();
  }
});

describe('a text that differs from the message in any character is rejected', () => {
  test.each([
    ['a newline after it', `${message}\n`],
    ['a space before it', ` ${message}`],
    ['Windows line ends', message.replaceAll('\n', '\r\n')],
    ['another statement', message.replace('costs nothing', 'costs little')],
    ["a host that is not the origin's", message.replace('app.example:8443 wants', 'evil.example wants')],
    ['a look-alike letter in the host', message.replace('app.example:8443 wants', 'аpp.example:8443 wants')],
    ['a time that is not a date', message.replace('2023-11-14T22:13:20Z', '2023-13-14T22:13:20Z')],
    ['a time with a fraction', message.replace('22:13:20Z', '22:13:20.5Z')],
    ['a third resource', `${message}\n- urn:service:extra:1`],
    ['a short nonce', message.replace('a1B2c3D4e5F6g7H8', 'a1B2')],
    ['a newline in the nonce', message.replace('a1B2c3D4', 'a1B2\nNonce: c3D4')],
    [
      'an origin with a path',
      message.replace('URI: https://app.example:8443', 'URI: https://app.example:8443/x y'),
    ],
  ])('%s', (_, text) => expect(parseChallenge(text)).toBeNull());
});
