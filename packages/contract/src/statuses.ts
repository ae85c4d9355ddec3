/** English names by code, in the order of the indexes. Append new codes; never remove or reorder one. */
const NAMES = {
  retail: 'Retail',
  accredited: 'Accredited',
  professional: 'Professional',
  institutional: 'Institutional',
  'qualified-purchaser': 'Qualified purchaser',
  employee: 'Employee',
};

/** The code of an investor status (SPEC.md section 4). */
export type StatusCode = keyof typeof NAMES;

/** A status that a verifier attests, with its fixed index 0 to 31 in clause masks (SPEC.md section 4). */
export interface StatusName {
  /** The bit of this status in clause masks, 0 to 31. */
  readonly index: number;
  /** The code that requests and witnesses use. */
  readonly code: StatusCode;
  /** English name, for people. */
  readonly name: string;
}

/** The investor statuses, by index (SPEC.md section 4, `GET /api/config`). */
export const STATUSES: readonly StatusName[] = Object.entries(NAMES).map(([code, name], index) => ({
  index,
  code: code as StatusCode,
  name,
}));
