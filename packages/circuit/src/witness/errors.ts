/** Why the inputs have no witness. Codes are stable: branch on a code, never on a message. */
export type WitnessErrorCode =
  /** An input is missing, unknown or not an integer, or has the wrong number of values. */
  | 'INPUT_MALFORMED'
  /** Limited is not 0 or 1. */
  | 'LIMITED_RANGE'
  /** The context hash is not the hash of the clause hashes, the commitment, the day and the pass hash. */
  | 'CONTEXT_HASH'
  /** The hash of the opened clause is not a clause hash of the rule set. */
  | 'CLAUSE_HASH'
  /** The age limit is not below 2^8. */
  | 'MIN_AGE_RANGE'
  /** The region is not below 2^8. */
  | 'REGION_RANGE'
  /** The region mask is not below 2^253. */
  | 'REGION_MASK_RANGE'
  /** The region is not in the region mask. */
  | 'REGION_NOT_ACCEPTED'
  /** The status is not below 2^5. */
  | 'STATUS_RANGE'
  /** The status mask is not below 2^32. */
  | 'STATUS_MASK_RANGE'
  /** The status is not in the status mask. */
  | 'STATUS_NOT_ACCEPTED'
  /** The birth date is not below 2^17. */
  | 'BIRTH_DATE_RANGE'
  /** The person does not reach the age limit on the day `asOf`. */
  | 'AGE_NOT_REACHED'
  /** The rule set is limited, and the last clause hash is not the tag of the person. */
  | 'PERSON_TAG';

const MESSAGES: Readonly<Record<Exclude<WitnessErrorCode, 'INPUT_MALFORMED'>, string>> = {
  LIMITED_RANGE: 'limited is not 0 or 1. Use 1 if the rule set limits the wallets of a person, else 0.',
  CONTEXT_HASH:
    'contextHash is not the hash of clauseHashes, the credential, asOf and passHash. Compute it from the same values.',
  CLAUSE_HASH:
    'The hash of regionMask, statusMask and minAge is not in clauseHashes. Open a clause of this rule set.',
  MIN_AGE_RANGE: 'minAge is not below 2^8. Use the age limit of a clause.',
  REGION_RANGE: 'region is not below 2^8. Use the region of the credential.',
  REGION_MASK_RANGE: 'regionMask is not below 2^253. Use the region mask of a clause.',
  REGION_NOT_ACCEPTED: 'regionMask does not contain region. Open a clause that accepts the region.',
  STATUS_RANGE: 'status is not below 2^5. Use the status of the credential.',
  STATUS_MASK_RANGE: 'statusMask is not below 2^32. Use the status mask of a clause.',
  STATUS_NOT_ACCEPTED: 'statusMask does not contain status. Open a clause that accepts the status.',
  BIRTH_DATE_RANGE: 'birthDate is not below 2^17. Use the birth date of the credential.',
  AGE_NOT_REACHED:
    'The age on the day asOf is below minAge. Open a clause with an age limit that is reached.',
  PERSON_TAG:
    'The last of clauseHashes is not the hash of person and of the one before it. Use the tag that tagOf returns.',
};

/** The error for inputs without a witness. Its message contains no value, because most inputs are private. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
  readonly code: WitnessErrorCode;

  constructor(code: 'INPUT_MALFORMED', message: string);
  constructor(code: Exclude<WitnessErrorCode, 'INPUT_MALFORMED'>);
  constructor(code: WitnessErrorCode, message?: string) {
    super(code === 'INPUT_MALFORMED' ? message : MESSAGES[code]);
    this.code = code;
  }
}
