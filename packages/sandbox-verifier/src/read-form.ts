/** The form of the hosted page. */
import { REGIONS, regionIndexOf, STATUSES, statusIndexOf } from '@service/contract';
import { dateCodeAt, EligibilityError, parseBirthDate } from '@service/protocol/eligibility';

/** The attributes in the form: codes, and the date as YYYY-MM-DD. */
export interface Attributes {
  readonly region: string;
  readonly status: string;
  readonly birthDate: string;
}

/** The attributes, or the problems with the form. */
export type FormResult =
  | {
      readonly ok: true;
      readonly attributes: Attributes;
      /** The number of the document, by which the sandbox recognizes the person. Empty if the form has none. */
      readonly document: string;
    }
  | { readonly ok: false; readonly problems: FormProblems };
/** Problems by field, as the page shows them. */
export type FormProblems = { readonly [K in keyof Attributes | 'document']?: string };

const MAX_DOCUMENT_LENGTH = 100;

/** Reads the form's fields. `now` is in Unix milliseconds; a birth date must not be later. */
export function readForm(fields: Record<string, unknown>, now: number): FormResult {
  const { region, status, birthDate, document = '' } = fields;
  const problems: { -readonly [K in keyof FormProblems]: string } = {};
  if (typeof region !== 'string' || regionIndexOf(region) === undefined) {
    problems.region = `Choose one of the ${REGIONS.length} regions.`;
  }
  if (typeof status !== 'string' || statusIndexOf(status) === undefined) {
    problems.status = `Choose one of the ${STATUSES.length} statuses.`;
  }
  if (typeof birthDate !== 'string' || !isPastDate(birthDate, now)) {
    problems.birthDate = 'Enter a date from 1900-01-01 to today, such as 1990-05-17.';
  }
  if (typeof document !== 'string' || document.length > MAX_DOCUMENT_LENGTH) {
    problems.document = `Enter at most ${MAX_DOCUMENT_LENGTH} characters, or nothing.`;
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    attributes: { region, status, birthDate } as Attributes,
    document: `${document}`.trim(),
  };
}

function isPastDate(text: string, now: number): boolean {
  try {
    return parseBirthDate(text) <= dateCodeAt(BigInt(Math.floor(now / 1000)));
  } catch (error) {
    if (error instanceof EligibilityError) return false;
    throw error;
  }
}
