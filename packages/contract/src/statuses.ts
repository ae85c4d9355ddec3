/** By code, in the order of the indexes: new codes are appended, none is ever taken away. */
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
  /** Its bit in the masks of clauses, 0 to 31. */
  readonly index: number;
  /** What requests and witnesses say. */
  readonly code: StatusCode;
  /** In English, for people. */
  readonly name: string;
}

/** The investor statuses, by index (SPEC.md section 4, `GET /api/config`). */
export const STATUSES: readonly StatusName[] = Object.entries(NAMES).map(([code, name], index) => ({
  index,
  code: code as StatusCode,
  name,
}));
