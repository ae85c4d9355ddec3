/** Reads the name of a token: one that an issuer chooses, and one that somebody wrote into a mint. */
import { parseUrl } from '@service/contract/url';
import { MOST_NAME_BYTES, type TokenName } from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkAddresses, invalidArgument } from '../lib/check-arguments.ts';

/** What an issuer says about the name of a new mint. */
interface NameOptions {
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
  readonly uri?: string | undefined;
  readonly metadataAuthority?: Address | null | undefined;
}

/** Returns the name of a new mint, or undefined if it gets none. Throws ServiceError INVALID_ARGUMENT. */
export function readNamed({ name, symbol, uri = '', metadataAuthority }: NameOptions): TokenName | undefined {
  if (name === undefined && symbol === undefined && !uri && !metadataAuthority) return undefined;
  checkText('name', name);
  checkText('symbol', symbol);
  const href = uri === '' ? '' : httpsUrl(uri);
  if (href === null) {
    throw invalidArgument(
      'uri',
      `uri must be an https URL of a public host name, of printable ASCII and without a user name, with at most ${MOST_NAME_BYTES.uri} characters. You can leave it out.`,
    );
  }
  if (metadataAuthority) checkAddresses({ metadataAuthority });
  return { name: name!, symbol: symbol!, uri: href, authority: metadataAuthority ?? null };
}

/** Rejects a text that wallets would cut, or show in another way than it was written. */
function checkText(field: 'name' | 'symbol', value: unknown): void {
  const most = MOST_NAME_BYTES[field];
  const isShown =
    typeof value === 'string' && value !== '' && shownText(value, Number.POSITIVE_INFINITY) === value;
  if (isShown && field === 'symbol' && !isSymbol(value)) {
    throw invalidArgument(
      'symbol',
      'symbol must begin with a letter and have no spaces, because it stands behind amounts.',
    );
  }
  if (isShown && new TextEncoder().encode(value).length <= most) return;
  throw invalidArgument(
    field,
    `${field} must be a text of 1 to ${most} bytes of UTF-8, normalized (NFC), without invisible characters and without spaces at its ends. A mint has both name and symbol, or neither.`,
  );
}

/** Returns whether a text can stand behind an amount. Digits or separators at its beginning would change what people read. */
export function isSymbol(text: string): boolean {
  return /^\$?\p{L}\S*$/u.test(text);
}

/** A host name of the public internet: two labels at least, and a last one that begins with a letter, as no IPv4 address does. */
const PUBLIC_HOST = /^(?:[a-z\d_-]+\.)+[a-z][a-z\d-]*$/;
/** Names that stand for the device itself or its network (RFC 6761, RFC 6762, RFC 8375), and a name that ICANN reserved. */
const OWN_NETWORK = /\.(?:localhost|local|internal|home\.arpa)$/;

/**
 * Returns the URL if it is one that a page may fetch or link to, else null. Anybody can write one into a mint, so its host must
 * not be an IP address or a name of the device's own network: a request there could reach a router or a cloud's metadata. The
 * result is in the form that the URL parser writes, so that no other parser reads another host from it.
 */
export function httpsUrl(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MOST_NAME_BYTES.uri || !/^https:\/\/[!-~]+$/.test(text))
    return null;
  const url = parseUrl(text);
  if (!url || url.username || url.password || url.href.length > MOST_NAME_BYTES.uri) return null;
  const host = url.hostname.replace(/\.$/, '');
  return PUBLIC_HOST.test(host) && !OWN_NETWORK.test(host) ? url.href : null;
}

/**
 * Returns an untrusted text in a form that a page can show: one line of at most `most` characters, without characters that
 * are invisible, reverse the text or pile up.
 */
export function shownText(text: string, most: number): string {
  const line = text
    .slice(0, 1_000)
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    // One mark can belong to a letter that has no composed form. More of them cover the lines around.
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
