import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { CLAUSE_SLOTS, type ClauseMasks, checkClause, checkClauses } from './clause.ts';
import { EligibilityError } from './errors.ts';
import { bytesToInteger, checkFieldElement, fieldToBytes } from './field.ts';
import { sha256, sha256Hex } from './sha256.ts';
import { checkAttributes, type WitnessAttributes } from './witness.ts';

/**
 * The hash in the unused slots of a rule set: `Poseidon2(0, 0)`, the hash of a clause with no region, status or age.
 * Nobody can meet that clause, so the circuit can never open it.
 */
export const EMPTY_CLAUSE_HASH =
  14744269619966411208579211824598458697587494354926760081771325075741142829156n;

/**
 * Returns `Poseidon2(regionMask, statusMask + minAge * 2^32)`.
 *
 * @throws EligibilityError CLAUSE_INVALID
 */
export function clauseHash(clause: ClauseMasks): bigint {
  checkClause(clause);
  return poseidon2([clause.regionMask, BigInt(clause.statusMask) + (BigInt(clause.minAge) << 32n)]);
}

/**
 * Returns the hashes in the 8 slots of a rule set: its clauses in order, then the empty clause.
 *
 * @throws EligibilityError CLAUSE_INVALID unless there are 1 to 8 valid clauses.
 */
export function clauseHashes(clauses: readonly ClauseMasks[]): bigint[] {
  checkClauses(clauses);
  const unused = Array.from({ length: CLAUSE_SLOTS - clauses.length }, () => EMPTY_CLAUSE_HASH);
  return [...clauses.map(clauseHash), ...unused];
}

/**
 * Returns the rule hash, which identifies the clauses of a rule set: SHA-256 over the hashes in its 8 slots, each in 32
 * bytes big-endian, as 64 lowercase hex digits. The circuit does not use it: it proves the clause hashes.
 *
 * @throws EligibilityError CLAUSE_INVALID unless there are 1 to 8 valid clauses.
 */
export async function ruleHash(clauses: readonly ClauseMasks[]): Promise<string> {
  return sha256Hex(...clauseHashes(clauses).map(fieldToBytes));
}

/**
 * Returns the commitment of a credential on chain: `Poseidon3(attributes, salt, person)`, where attributes is
 * `region + status * 2^8 + birthDate * 2^13 + 2^253`.
 *
 * @throws EligibilityError WITNESS_INVALID
 */
export function commitmentOf(attributes: WitnessAttributes): bigint {
  checkAttributes(attributes);
  const { region, status, birthDate, salt, person } = attributes;
  const packed = BigInt(region) + (BigInt(status) << 8n) + (BigInt(birthDate) << 13n) + (1n << 253n);
  return poseidon3([packed, salt, person]);
}

/** The pass that a proof is for. */
export interface PassFacts {
  /** The rule set's address, 32 bytes. */
  readonly rule: Uint8Array;
  /** The wallet's address, 32 bytes. */
  readonly wallet: Uint8Array;
  /** Unix seconds at which the pass would expire. */
  readonly expiresAt: bigint;
}

const PASS_TAG = new TextEncoder().encode('service:v1:pass');

/**
 * Returns the pass hash: SHA-256 over `"service:v1:pass" | rule | wallet | expiresAt` (8 bytes, little-endian), as a big-endian
 * number without its three highest bits, so that it fits the field.
 *
 * @throws EligibilityError CONTEXT_INVALID
 */
export async function passHash({ rule, wallet, expiresAt }: PassFacts): Promise<bigint> {
  checkAddress(rule, 'rule set');
  checkAddress(wallet, 'wallet');
  checkExpiry(expiresAt);
  const expiry = new Uint8Array(8);
  new DataView(expiry.buffer).setBigUint64(0, expiresAt, true);
  return BigInt.asUintN(253, bytesToInteger(await sha256(PASS_TAG, rule, wallet, expiry)));
}

/** One of the places of a person in a rule set that limits the wallets of a person. */
export interface PlaceFacts {
  /** The rule set's address, 32 bytes. */
  readonly rule: Uint8Array;
  /** The number of the place, from 0 to the rule set's `walletsPerPerson` minus 1. */
  readonly place: number;
}

const PERSON_TAG = new TextEncoder().encode('service:v1:person');

/**
 * Returns the scope of a place: SHA-256 over `"service:v1:person" | rule | place` (1 byte), as a big-endian number without
 * its three highest bits, so that it fits the field.
 *
 * @throws EligibilityError CONTEXT_INVALID
 */
export async function scopeOf({ rule, place }: PlaceFacts): Promise<bigint> {
  checkAddress(rule, 'rule set');
  if (!Number.isInteger(place) || place < 0 || place > 254) {
    throw new EligibilityError('CONTEXT_INVALID', 'place must be an integer from 0 to 254.');
  }
  return BigInt.asUintN(253, bytesToInteger(await sha256(PERSON_TAG, rule, Uint8Array.of(place))));
}

/** The two values of which a tag is the hash. */
export interface TagFacts {
  /** The person of the witness. */
  readonly person: bigint;
  /** What {@link scopeOf} returns. */
  readonly scope: bigint;
}

/**
 * Returns the tag of a person for a place: `Poseidon2(person, scope)`. All wallets of the person have the same tag for it.
 * Only someone who knows `person` can see which tags are of one person.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE
 */
export function tagOf({ person, scope }: TagFacts): bigint {
  checkFieldElement(person, 'The person');
  checkFieldElement(scope, 'The scope');
  return poseidon2([person, scope]);
}

function checkAddress(address: Uint8Array, whose: string): void {
  if (address.length !== 32) {
    throw new EligibilityError(
      'CONTEXT_INVALID',
      `The address of a ${whose} is 32 bytes; this is ${address.length}.`,
    );
  }
}

function checkExpiry(expiresAt: bigint): void {
  if (typeof expiresAt !== 'bigint' || expiresAt < 0n || expiresAt >= 1n << 64n) {
    throw new EligibilityError('CONTEXT_INVALID', 'expiresAt must be a bigint of Unix seconds below 2^64.');
  }
}
