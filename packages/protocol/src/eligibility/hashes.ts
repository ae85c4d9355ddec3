import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon4 } from 'poseidon-lite/poseidon4';
import { poseidon6 } from 'poseidon-lite/poseidon6';
import { poseidon8 } from 'poseidon-lite/poseidon8';
import { CLAUSE_SLOTS, type ClauseMasks, checkClause, checkClauses } from './clause.ts';
import { dateOfCode } from './date-code.ts';
import { EligibilityError } from './errors.ts';
import { bytesToInteger, checkFieldElement } from './field.ts';
import { checkAttributes, type WitnessAttributes } from './witness.ts';

/**
 * The hash in a rule set's unused slots: `Poseidon2(0, 0)`, that of a clause with no region, no status and no age.
 * Nobody is a member of an empty set, so the circuit can never open it.
 */
export const EMPTY_CLAUSE_HASH =
  14744269619966411208579211824598458697587494354926760081771325075741142829156n;

/**
 * `Poseidon2(regionMask, statusMask + minAge * 2^32)`.
 *
 * @throws EligibilityError CLAUSE_INVALID
 */
export function clauseHash(clause: ClauseMasks): bigint {
  checkClause(clause);
  return poseidon2([clause.regionMask, BigInt(clause.statusMask) + (BigInt(clause.minAge) << 32n)]);
}

/**
 * The hashes in the 8 slots of a rule set: its clauses in order, then the empty clause.
 *
 * @throws EligibilityError CLAUSE_INVALID unless there are 1 to 8 valid clauses.
 */
export function clauseHashes(clauses: readonly ClauseMasks[]): bigint[] {
  checkClauses(clauses);
  const unused = Array.from({ length: CLAUSE_SLOTS - clauses.length }, () => EMPTY_CLAUSE_HASH);
  return [...clauses.map(clauseHash), ...unused];
}

/**
 * The rule hash, which stands for all clauses of a rule set: `Poseidon8` of its slots.
 *
 * @throws EligibilityError CLAUSE_INVALID unless there are 1 to 8 valid clauses.
 */
export function ruleHash(clauses: readonly ClauseMasks[]): bigint {
  return poseidon8(clauseHashes(clauses));
}

/**
 * The commitment that a credential carries on chain: `Poseidon4(region, status, birthDate, salt)`.
 *
 * @throws EligibilityError WITNESS_INVALID
 */
export function commitmentOf(attributes: WitnessAttributes): bigint {
  checkAttributes(attributes);
  const { region, status, birthDate, salt } = attributes;
  return poseidon4([BigInt(region), BigInt(status), BigInt(birthDate), salt]);
}

/** What a proof is bound to. */
export interface ContextFacts {
  /** The credential's commitment. */
  readonly commitment: bigint;
  /** The rule set's hash. */
  readonly ruleHash: bigint;
  /** The wallet's address, 32 bytes. */
  readonly wallet: Uint8Array;
  /** Unix seconds at which the pass would expire. */
  readonly expiresAt: bigint;
  /** Date code of the day on which age is counted. */
  readonly asOf: number;
}

/**
 * The circuit's one public signal:
 * `Poseidon6(commitment, ruleHash, walletHi, walletLo, expiresAt, asOf)`.
 *
 * @throws EligibilityError FIELD_OUT_OF_RANGE, CONTEXT_INVALID or DATE_INVALID
 */
export function contextHash(facts: ContextFacts): bigint {
  checkFieldElement(facts.commitment, 'The commitment');
  checkFieldElement(facts.ruleHash, 'The rule hash');
  const { high, low } = walletHalves(facts.wallet);
  checkExpiry(facts.expiresAt);
  dateOfCode(facts.asOf);
  return poseidon6([facts.commitment, facts.ruleHash, high, low, facts.expiresAt, BigInt(facts.asOf)]);
}

/**
 * A wallet's 32 bytes as two big-endian numbers of 128 bits; 256 bits do not fit the field.
 *
 * @throws EligibilityError CONTEXT_INVALID
 */
export function walletHalves(wallet: Uint8Array): { high: bigint; low: bigint } {
  if (wallet.length !== 32) {
    throw new EligibilityError('CONTEXT_INVALID', `A wallet is 32 bytes; this is ${wallet.length}.`);
  }
  return { high: bytesToInteger(wallet.subarray(0, 16)), low: bytesToInteger(wallet.subarray(16)) };
}

function checkExpiry(expiresAt: bigint): void {
  if (typeof expiresAt !== 'bigint' || expiresAt < 0n || expiresAt >= 1n << 64n) {
    throw new EligibilityError('CONTEXT_INVALID', 'expiresAt must be a bigint of Unix seconds below 2^64.');
  }
}
