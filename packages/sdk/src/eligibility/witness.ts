import type { Witness } from '@service/contract';
import { regionIndexOf, statusIndexOf } from '@service/contract/clause-masks';
import { witnessRecord } from '@service/contract/witness';
import { parseBirthDate } from '@service/protocol/eligibility/date-code';
import type { WitnessAttributes } from '@service/protocol/eligibility/witness';
import { ServiceError } from '../errors.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { unexpectedError } from '../lib/unexpected-error.ts';
import { requireGlobals } from '../platform/require-globals.ts';

/** The lowest salt and person. Below it, public hashes could be searched for them. */
const MIN_SECRET = 2n ** 128n;

/**
 * Parses the witness from the verifier, from JSON text or a parsed object. The witness stays on this machine: no call of
 * the SDK sends it (SPEC.md section 1).
 *
 * @throws ServiceError WITNESS_INVALID, which names the field but never its value
 */
export function parseWitness(json: unknown): Witness {
  if (json === undefined || json === null) throw unusable('it is missing');
  const parsed = witnessRecord.safeParse(typeof json === 'string' ? parseJson(json) : json);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.path.join('.') || 'the JSON');
  for (const name of ['salt', 'person'] as const) {
    if (BigInt(parsed.data[name]) < MIN_SECRET)
      throw unusable(`${name} is below 2^128, so it is easy to guess`);
  }
  return Object.freeze(parsed.data);
}

/**
 * Takes the witness from the address of the page, where the verifier puts it when the person returns. Clears it from the
 * address and the history entry, so that no copied link contains it. Returns null if there is none. Keep the witness only
 * if its `wallet` is the person's wallet: anyone can make a link with a witness.
 *
 * @throws ServiceError WITNESS_INVALID, after the address is cleared; INVALID_ARGUMENT outside a page; UNSUPPORTED_PLATFORM
 */
export function takeWitnessFromLocation(): Witness | null {
  if (typeof location === 'undefined' || typeof history === 'undefined') {
    throw invalidArgument(
      'location',
      'takeWitnessFromLocation needs a page. Elsewhere pass the fragment to parseWitnessFragment.',
    );
  }
  requireGlobals(FRAGMENT_GLOBALS);
  const fragment = location.hash;
  if (!new URLSearchParams(fragment.slice(1)).has('witness')) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return parseWitnessFragment(fragment);
}

/**
 * Parses the witness from a URL or only its fragment, `#witness=...` (base64url of its JSON). Returns null if there is
 * none. Keep the witness only if its `wallet` is the person's wallet: anyone can make a link with a witness.
 *
 * @throws ServiceError WITNESS_INVALID, UNSUPPORTED_PLATFORM
 */
export function parseWitnessFragment(fragment: string): Witness | null {
  if (typeof fragment !== 'string') {
    throw invalidArgument('fragment', 'fragment must be a string, such as location.hash.');
  }
  requireGlobals(FRAGMENT_GLOBALS);
  const encoded = new URLSearchParams(fragment.slice(fragment.indexOf('#') + 1)).get('witness');
  return encoded === null ? null : parseWitness(decodeBase64Url(encoded));
}

/** The globals that the SDK needs to read a witness from a fragment. */
const FRAGMENT_GLOBALS = ['URLSearchParams', 'TextDecoder', 'atob'];

/** Returns the witness as the numbers that the circuit takes. Throws ServiceError WITNESS_INVALID. */
export function attributesOf(witness: Witness): WitnessAttributes {
  const read = parseWitness(witness);
  const region = regionIndexOf(read.region);
  const status = statusIndexOf(read.status);
  if (region === undefined) throw invalid('region');
  if (status === undefined) throw invalid('status');
  let birthDate: number;
  try {
    birthDate = parseBirthDate(read.birthDate);
  } catch {
    throw invalid('birthDate');
  }
  return { region, status, birthDate, salt: BigInt(read.salt), person: BigInt(read.person) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser would quote the text.
    throw invalid('the JSON');
  }
}

function decodeBase64Url(text: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  try {
    return decoder.decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch (error) {
    // A polyfill has a mistake. The error contains nothing of the witness.
    if (error instanceof ReferenceError) throw unexpectedError('Reading the witness', error);
    throw invalid('the fragment');
  }
}

function invalid(field: string): ServiceError {
  return unusable(`${field} is not valid`);
}

/** Returns the error of a witness that cannot be used. `why` must not have its values. */
export function unusable(why: string): ServiceError {
  return new ServiceError('WITNESS_INVALID', {
    message: `The witness cannot be used: ${why}. Take it from the verifier again.`,
  });
}
