/** The rows of an issue to many: checked before anything is signed, and the digest that ties a ledger to them. */
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import type { Address } from '@solana/kit';
import { checkAddresses, checkObject, invalidArgument } from '../../lib/check-arguments.ts';
import { U64_MAX } from '../../rpc/funds.ts';

/** One row of {@link issueMany} (SPEC.md section 2). */
export interface IssueRow {
  /**
   * Your own name of the row, such as a customer number: 1 to 64 characters. No other row has it.
   * @default the index of the row, as text
   */
  readonly id?: string | undefined;
  /** Base58 address of the token account that receives the tokens. */
  readonly destination: Address;
  /** Base units, 1 to 2^64 - 1: a bigint, or its decimal digits. */
  readonly amount: bigint | string;
}

/** A row that passed the checks. */
export interface CheckedRow {
  /** Its place in the rows of the caller, from 0. */
  readonly index: number;
  readonly id: string;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

const MOST_ID = 64;

/**
 * Returns the rows after a check of each one, of the sum, and of what repeats. A list that was pasted twice is the most
 * likely mistake, and an issue cannot be undone. So a destination may repeat only if the caller says so.
 *
 * @throws ServiceError INVALID_ARGUMENT that names the row
 */
export function readRows(rows: unknown, { mayRepeat }: { readonly mayRepeat: boolean }): CheckedRow[] {
  if (!Array.isArray(rows) || rows.length === 0)
    throw invalidArgument('rows', 'rows must be a list of at least one { destination, amount }.');
  const checked = rows.map(readRow);
  const ids = new Map<string, number>();
  const destinations = new Map<string, number>();
  let sum = 0n;
  for (const { index, id, destination, amount } of checked) {
    const sameId = ids.get(id);
    if (sameId !== undefined)
      throw invalidArgument(
        `rows.${index}.id`,
        `The rows ${sameId} and ${index} have the same id. Change one.`,
      );
    const sameDestination = destinations.get(destination);
    if (sameDestination !== undefined && !mayRepeat) {
      throw invalidArgument(
        `rows.${index}.destination`,
        `The rows ${sameDestination} and ${index} have the same destination ${destination}. Remove one, or pass mayRepeat: true if both are meant.`,
      );
    }
    ids.set(id, index);
    destinations.set(destination, index);
    sum += amount;
  }
  if (sum > U64_MAX)
    throw invalidArgument(
      'rows',
      `The amounts add up to ${sum}, and a mint has at most ${U64_MAX} base units. Lower the amounts.`,
    );
  return checked;
}

function readRow(row: unknown, index: number): CheckedRow {
  const field = `rows.${index}`;
  checkObject(field, row, 'an object: { destination, amount }');
  const { id = `${index}`, destination, amount } = row as IssueRow;
  if (typeof id !== 'string' || id.length === 0 || id.length > MOST_ID)
    throw invalidArgument(`${field}.id`, `${field}.id must be a text of 1 to ${MOST_ID} characters.`);
  checkAddresses({ [`${field}.destination`]: destination });
  return { index, id, destination, amount: readAmount(`${field}.amount`, amount) };
}

/** Returns an amount. Reads only digits: a number has no exact large values, and a point would be a factor of a hundred. */
function readAmount(field: string, amount: unknown): bigint {
  const read = typeof amount === 'string' && /^(0|[1-9]\d{0,19})$/.test(amount) ? BigInt(amount) : amount;
  if (typeof read === 'bigint' && read > 0n && read <= U64_MAX) return read;
  throw invalidArgument(
    field,
    `${field} must be base units from 1 to 2^64 - 1, as a bigint or as decimal digits without a point.`,
  );
}

/** Returns the SHA-256 of the rows in hex, in their order. */
export function digestOf(rows: readonly CheckedRow[]): Promise<string> {
  const text = JSON.stringify(rows.map(({ id, destination, amount }) => [id, destination, `${amount}`]));
  return sha256Hex(new TextEncoder().encode(text));
}
