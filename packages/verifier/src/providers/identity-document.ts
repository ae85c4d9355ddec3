/** The facts that a provider read from an identity document. */
import type { Decision, DocumentType } from '../provider.ts';
import { countryCode } from './country-code.ts';

/** A document in the words of a provider. */
export interface GivenDocument {
  /** An alpha-2 or alpha-3 code. */
  readonly country?: unknown;
  /** Undefined for a kind that is not in `DOCUMENT_TYPES`. */
  readonly type?: DocumentType | undefined;
  readonly number?: string | undefined;
  /** YYYY-MM-DD. */
  readonly expires?: string | undefined;
}

/**
 * Returns the fields of a decision that come from the document. The person is recognized by country, kind and number, so a new
 * document makes another person.
 */
export function documentFields({
  country,
  type,
  number = '',
  expires,
}: GivenDocument): Pick<Decision, 'documentCountry' | 'documentType' | 'documentExpires' | 'personId'> {
  const documentCountry = countryCode(country);
  // Providers write the same number with and without separators.
  const digits = number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isKnown = documentCountry !== undefined && type !== undefined && digits !== '';
  return defined({
    documentCountry,
    documentType: type,
    documentExpires: expires,
    personId: isKnown ? `${documentCountry} ${type} ${digits}` : undefined,
  });
}

/** An object without the fields that are undefined. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that are not undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}
