/** A status that a verifier attests, with its fixed index 0 to 31 in clause masks. */
export interface StatusName {
  readonly index: number;
  readonly code: string;
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
