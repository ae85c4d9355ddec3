/** The person whom the fake providers check. */
import countries from 'i18n-iso-countries';
import type { DocumentType } from '../../src/provider.ts';

/** A person, as a document and a proof of address show them. */
export interface FakePerson {
  readonly birthDate: string;
  /** Alpha-2 codes. */
  readonly nationality: string | null;
  readonly residence: string | null;
  readonly documentCountry: string;
  readonly documentType: DocumentType;
  readonly documentNumber: string;
  readonly documentExpires: string;
}

export const PERSON: FakePerson = {
  birthDate: '1990-05-17',
  nationality: 'DE',
  residence: 'FR',
  documentCountry: 'IT',
  documentType: 'passport',
  documentNumber: 'C01X-2345',
  documentExpires: '2045-01-31',
};

/** A person whom no policy accepts: the document has expired, and the nationality is missing. */
export const WRONG_PERSON: FakePerson = { ...PERSON, nationality: null, documentExpires: '2001-01-31' };

/** Returns the alpha-3 code of an alpha-2 code. */
export function alpha3(code: string | null): string | null {
  return code === null ? null : (countries.alpha2ToAlpha3(code) ?? null);
}
