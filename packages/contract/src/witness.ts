/**
 * The witness of a credential (SPEC.md section 1). It has a file of its own, because the SDK reads a witness without the
 * schemas of the endpoints.
 */
import * as z from 'zod/mini';
import { addressField } from './fields.ts';

/** The attributes behind a commitment. The verifier gives them only to the person; they are never sent to the service. */
export const witnessRecord = z.object({
  /** Base58 address of the wallet that holds the credential. */
  wallet: addressField,
  /** ISO 3166-1 alpha-2 code of a region in REGIONS. */
  region: z.string(),
  /** Code of a status in STATUSES. */
  status: z.string(),
  /** A date as YYYY-MM-DD. */
  birthDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 1990-05-17')),
  /** Decimal string of a random number from 2^128 to below the order of the BN254 scalar field. Secret, like every field here. */
  salt: z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/, 'must be a decimal string')),
  /** Decimal string of a number in the same range, which the verifier gives to all wallets of the person. Secret. */
  person: z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/, 'must be a decimal string')),
});
/**
 * The attributes behind a commitment. The verifier gives them only to the person; they are never sent to the service.
 * birthDate is `YYYY-MM-DD`, salt and person are decimal strings; region and status are codes (SPEC.md section 1).
 *
 * @interface
 */
export type Witness = z.infer<typeof witnessRecord>;
