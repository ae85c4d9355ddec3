import { regionIndexOf, statusIndexOf, type Witness, witnessRecord } from '@service/contract';
import { parseBirthDate } from '@service/protocol/eligibility/date-code';
import type { WitnessAttributes } from '@service/protocol/eligibility/witness';
import { ServiceError } from '../errors.ts';

/**
 * Reads the witness that the verifier handed over, from its JSON text or what was parsed of it. It stays on this
 * machine: no call of the SDK sends it (SPEC.md section 1).
 *
 * @throws ServiceError WITNESS_INVALID, naming the field and never its value
 */
export function parseWitness(json: unknown): Witness {
  if (json === undefined || json === null) throw unusable('it is missing');
  const parsed = witnessRecord.safeParse(typeof json === 'string' ? parseJson(json) : json);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.path.join('.') || 'the JSON');
  return Object.freeze(parsed.data);
}

/**
 * Takes the witness from the page's address, where the verifier leaves it on the way back, and clears it from the
 * address and from the history entry, so that it stays neither there nor in a copied link. Null when there is none. Keep
 * it only if its `wallet` is the person's own: anybody can make a link with a witness in it. Not in SPEC.md: how a
 * verifier hands the witness over.
 *
 * @throws ServiceError WITNESS_INVALID, the address cleared all the same; INVALID_ARGUMENT outside a page
 */
export function takeWitnessFromLocation(): Witness | null {
  if (typeof location === 'undefined' || typeof history === 'undefined') {
    throw new ServiceError('INVALID_ARGUMENT', {
      message:
        'takeWitnessFromLocation works in a page only. Elsewhere pass the fragment to parseWitnessFragment.',
      context: { field: 'location' },
    });
  }
  const fragment = location.hash;
  if (!new URLSearchParams(fragment.slice(1)).has('witness')) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return parseWitnessFragment(fragment);
}

/**
 * Reads the witness from a URL or from its fragment alone, as in `#witness=...` (base64url of its JSON). Null when there is none.
 * Keep it only if its `wallet` is the person's own: anybody can make a link with a witness in it. Not in SPEC.md: how a verifier hands the witness over.
 *
 * @throws ServiceError WITNESS_INVALID
 */
export function parseWitnessFragment(fragment: string): Witness | null {
  const encoded = new URLSearchParams(fragment.slice(fragment.indexOf('#') + 1)).get('witness');
  return encoded === null ? null : parseWitness(decodeBase64Url(encoded));
}

/** The witness in the numbers of the circuit. Throws ServiceError WITNESS_INVALID. */
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
  return { region, status, birthDate, salt: BigInt(read.salt) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw invalid('the JSON');
  }
}

function decodeBase64Url(text: string): string {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('the fragment');
  }
}

function invalid(field: string): ServiceError {
  return unusable(`${field} is not valid`);
}

function unusable(why: string): ServiceError {
  return new ServiceError('WITNESS_INVALID', {
    message: `The witness cannot be used: ${why}. Take it from the verifier again.`,
    context: {},
  });
}
