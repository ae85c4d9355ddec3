/** A status that a verifier attests, with its fixed index 0 to 31 in clause masks (SPEC.md section 4). */
export interface StatusName {
  /** Its bit in the masks of clauses, 0 to 31. */
  readonly index: number;
  /** What requests and witnesses say. */
  readonly code: string;
  /** In English, for people. */
  readonly name: string;
}

/** The investor statuses, by index (SPEC.md section 4, `GET /api/config`). */
export const STATUSES: readonly StatusName[] = [
  { index: 0, code: 'retail', name: 'Retail' },
  { index: 1, code: 'accredited', name: 'Accredited' },
  { index: 2, code: 'professional', name: 'Professional' },
  { index: 3, code: 'institutional', name: 'Institutional' },
  { index: 4, code: 'qualified-purchaser', name: 'Qualified purchaser' },
  { index: 5, code: 'employee', name: 'Employee' },
];
