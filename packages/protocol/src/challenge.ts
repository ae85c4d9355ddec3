/** The sign-in message (SPEC.md section 5), in the text form of Sign In With Solana. The server writes it, the client rebuilds it. */
import { parseUrl } from '@service/contract/url';
import type { Address } from '@solana/kit';

const STATEMENT =
  'Sign in to the Rule-Set and Pass Service. This signs a message, not a transaction, and costs nothing.';

/** The fields of a sign-in message. Times are in Unix seconds. */
export interface ChallengeFields {
  /** Full origin of the site, as in `https://app.example`. */
  readonly origin: string;
  readonly wallet: Address;
  readonly program: Address;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
  /** 16 to 64 letters and digits. */
  readonly nonce: string;
  readonly challengeId: string;
  readonly issuedAt: bigint;
  readonly expiresAt: bigint;
}

/** Returns the message of a challenge. */
export function formatChallenge(fields: ChallengeFields): string {
  return [
    `${new URL(fields.origin).host} wants you to sign in with your Solana account:`,
    fields.wallet,
    '',
    STATEMENT,
    '',
    `URI: ${fields.origin}`,
    'Version: 1',
    `Nonce: ${fields.nonce}`,
    `Issued At: ${isoTime(fields.issuedAt)}`,
    `Expiration Time: ${isoTime(fields.expiresAt)}`,
    `Request ID: ${fields.challengeId}`,
    'Resources:',
    `- urn:service:program:${fields.program}`,
    `- urn:service:genesis:${fields.genesisHash}`,
  ].join('\n');
}

const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z`;
const SHAPE = new RegExp(
  [
    String.raw`^(?<host>[^\s\u0000-\u0020\u007f-\uffff]+) wants you to sign in with your Solana account:`,
    '(?<wallet>[1-9A-HJ-NP-Za-km-z]{32,44})',
    '',
    STATEMENT.replaceAll('.', String.raw`\.`),
    '',
    String.raw`URI: (?<origin>https?://[\u0021-\u007e]+)`,
    'Version: 1',
    'Nonce: (?<nonce>[A-Za-z0-9]{16,64})',
    `Issued At: (?<issuedAt>${TIME})`,
    `Expiration Time: (?<expiresAt>${TIME})`,
    'Request ID: (?<challengeId>[0-9a-f-]{36})',
    'Resources:',
    '- urn:service:program:(?<program>[1-9A-HJ-NP-Za-km-z]{32,44})',
    '- urn:service:genesis:(?<genesisHash>[1-9A-HJ-NP-Za-km-z]{32,44})$',
  ].join(String.raw`\n`),
);

/** Returns the fields of a sign-in message, or null when any character of the text differs from that form. */
export function parseChallenge(message: string): ChallengeFields | null {
  const groups = SHAPE.exec(message)?.groups as Record<string, string> | undefined;
  if (!groups) return null;
  const fields: ChallengeFields = {
    origin: groups.origin ?? '',
    wallet: groups.wallet as Address,
    program: groups.program as Address,
    genesisHash: groups.genesisHash ?? '',
    nonce: groups.nonce ?? '',
    challengeId: groups.challengeId ?? '',
    issuedAt: unixTime(groups.issuedAt ?? ''),
    expiresAt: unixTime(groups.expiresAt ?? ''),
  };
  // Formatting the fields again proves that the text has nothing else, nothing twice and no other spelling.
  return parseUrl(fields.origin) && isTime(fields) && formatChallenge(fields) === message ? fields : null;
}

function isTime(fields: ChallengeFields): boolean {
  return fields.issuedAt >= 0n && fields.expiresAt >= 0n;
}

function isoTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

function unixTime(text: string): bigint {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? -1n : BigInt(milliseconds / 1000);
}
