/** Schemas of variables, which parse text into values. */
import nacl from 'tweetnacl';
import * as z from 'zod/mini';
import { withForm } from './form.ts';

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  const isInRange = (text: string) =>
    /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most;
  const schema = z.pipe(z.string().check(z.refine(isInRange)), z.transform(Number));
  return withForm(schema, `a whole number from ${least} to ${most}`);
}

/** Returns whether a URL has a user name or a password. fetch rejects such a URL and shows it in its error. */
export function holdsUser(url: string): boolean {
  return URL.canParse(url) && (new URL(url).username !== '' || new URL(url).password !== '');
}

const HTTP_URL = 'an http or https URL without a user name';

/** An http or https URL without a user name, unchanged. */
export const exactHttpUrl = withForm(
  z.url({ protocol: /^https?$/ }).check(z.refine((url) => !holdsUser(url))),
  HTTP_URL,
);

/** An http or https URL without a user name. Slashes at the end are removed. */
export const httpUrl = withForm(
  z.pipe(
    exactHttpUrl,
    z.transform((url) => url.replace(/\/+$/, '')),
  ),
  HTTP_URL,
);

/** Texts separated by commas. */
export const list = z.pipe(
  z.string(),
  z.transform((text) => text.split(',').map((item) => item.trim())),
);

/** URLs separated by commas. */
export const httpUrls = z.pipe(list, z.array(httpUrl));

/** A key pair in the form of the Solana CLI: a JSON list of 64 bytes, the private key followed by the public key. */
export const keypair = withForm(
  z.pipe(
    z.string().check(z.refine((text) => keypairBytes(text) !== null)),
    z.transform((text) => keypairBytes(text)!),
  ),
  'the JSON list of 64 bytes that solana-keygen writes',
);

function keypairBytes(text: string): Uint8Array | null {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(list) || list.length !== 64) return null;
  if (!list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)) return null;
  const bytes = Uint8Array.from(list);
  const { publicKey } = nacl.sign.keyPair.fromSeed(bytes.subarray(0, 32));
  return Buffer.compare(publicKey, bytes.subarray(32)) === 0 ? bytes : null;
}
